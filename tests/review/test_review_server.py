"""The page's server from outside: who gets in, what is refused, and that nothing answered is lost to kill -9."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from review_tools import Client, make_season

from scanner.review.desk import Desk
from scanner.review.server import ReviewServer


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Desk(make_season(tmp_path_factory.mktemp("served"))) as desk, ReviewServer(desk) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def page(server) -> Client:
    return Client(server.port, server.token)


def test_it_listens_on_loopback_only(server):
    assert server.server_address[0] == "127.0.0.1"
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in others:
        if not address.startswith("127."):
            with socket.socket() as probe:
                probe.settimeout(2)
                assert probe.connect_ex((address, server.port)) != 0


def test_the_token_lets_in_and_leaves_the_address(server):
    answer = Client(server.port).get(f"/?token={server.token}")
    assert answer.status == 303 and answer.headers["Location"] == "/"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert Client(server.port, server.token).get("/").status == 200


@pytest.mark.parametrize("token", [None, "", "wrong", "%00", "ä", "x" * 5000])
@pytest.mark.parametrize("path", ["/", "/panel.js", "/act/next"])
def test_without_the_right_token_there_is_nothing(server, token, path):
    stranger = Client(server.port)
    assert stranger.get(path if token is None else f"{path}?token={token.encode().hex()}").status == 403
    assert stranger.post(path, {}).status == 403
    wrong = Client(server.port)
    wrong.cookie = f"clabber{server.port}={(token or 'wrong')[:100].encode().hex()}"
    assert wrong.get(path).status == 403


def test_a_link_handed_to_the_browser_works_once(server):
    once = server.once.split(str(server.port))[1]
    assert Client(server.port).get(once).status == 303
    assert Client(server.port).get(once).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", "[::1]:80", ""])
def test_a_foreign_host_is_refused_even_with_the_token(server, page, host):
    assert page.get("/", Host=host).status == 403
    assert page.get(f"/?token={server.token}", Host=host).status == 403
    assert page.post("/act/hello", {}, Host=host).status == 403


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"X-Clabber": "other"}])
def test_another_site_cannot_send_requests_with_our_cookie(page, headers):
    assert page.post("/act/hello", {}, **headers).status == 403


def test_the_page_allows_no_foreign_script_and_is_not_kept(page):
    answer = page.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert answer.headers["Cache-Control"] == "no-store" and answer.headers["X-Content-Type-Options"] == "nosniff"


def test_no_file_of_the_page_names_another_host(page):
    for path in ("/", "/page.js", "/panel.js", "/panel.css"):
        text = page.get(path).body.decode()
        assert re.findall(r"(?:https?:)?//[a-z0-9.]+\.[a-z]+[^\s\"']*", text) in ([], ["http://www.w3.org/2000/svg"])
        assert "innerHTML" not in text and "insertAdjacent" not in text and "document.write" not in text


@pytest.mark.parametrize("path", ["/../server.py", "/%2e%2e/desk.py", "/etc/passwd", "/panel.js/"])
def test_only_the_four_files_exist(page, path):
    assert page.get(path).status == 404


def test_bad_requests_are_refused_and_the_server_goes_on(page, server):
    assert page.post("/act/close", {}).status == 400
    assert page.post("/act/next", {"no": 1}).status == 400
    assert page.post("/act/next", [1]).status == 400
    assert page.post("/other", {}).status == 404
    assert page.post("/act/answer", {"place": "x" * 200_000}).status == 413
    with socket.create_connection(("127.0.0.1", server.port)) as rude:
        rude.sendall(b"POST /act/next HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n")
    assert page.act("hello")["season"] == "season.db"


def test_the_token_is_in_no_log(server, page, capfd):
    Client(server.port).get(f"/?token={server.token}")
    page.act("hello")
    shown = capfd.readouterr()
    assert server.token not in shown.out + shown.err


def start(season: Path) -> tuple[subprocess.Popen, Client]:
    command = [sys.executable, "-m", "scanner.cli", "review", "--season", str(season), "--no-browser", "--by", "Ruth"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        if found:
            return process, Client(int(found[1]), found[2])
    raise AssertionError("the page was not announced")


def test_kill_between_every_two_answers_loses_none(tmp_path):
    season = make_season(tmp_path)
    given: list[tuple[str, str]] = []
    while True:
        process, page = start(season)
        try:
            state = page.act("next")
            item = state["item"]
            if item is None:
                break
            text = {"they": "Falcons"}.get(item["place"].rsplit("/", 1)[-1], item["guess"])
            page.act("answer", place=item["place"], text=text, by="Ruth", seen=item["seen"])
            given.append((item["place"], text))
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
    assert len(given) >= 3
    connection = sqlite3.connect(season)
    assert connection.execute("SELECT cell_id, text FROM reviews ORDER BY review_id").fetchall() == given
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("SELECT count(*) FROM games WHERE stale").fetchone() == (0,)
    connection.close()


def test_ctrl_c_closes_the_page_quietly(tmp_path):
    process, page = start(make_season(tmp_path))
    assert page.act("hello")["by"] == "Ruth"
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    process.stdout.close()
