"""The review page on this computer's loopback address: the standard library's HTTP server, a token and little else.

Threats and answers: other computers (bound to 127.0.0.1, on a port the system picks); other users of this computer and
pages open in the browser (a random token, kept in a cookie that no script and no other site can use; the link given to
the browser works once); DNS rebinding (the Host must be this address); cross-site requests (a header only our own page
may send, and the Origin if one is sent); hostile names on sheets (texts are only ever put in as text, and the policy
allows no script but ours); large requests (refused by their length).  What is left: whoever can read this user's files
or memory can read the season file anyway.

Why no Jupyter server here: the page must work for somebody who installed nothing but the scanner, and start at once.
Figures are in docs/review.md.  Inside JupyterLab the same panel is carried by :mod:`scanner.review.widget`.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from urllib.parse import parse_qs, urlsplit

from scanner.review.desk import Desk
from scanner.sheet.errors import ClabberError

#: Largest request body. An answer with a note has a few hundred bytes, sixty cell ids have four thousand.
_MOST_BYTES = 100_000
#: Seconds an idle connection is kept before it is dropped.
_IDLE = 30.0

_FILES = {"/": ("page.html", "text/html"), "/page.js": ("page.js", "text/javascript"),
          "/panel.js": ("panel.js", "text/javascript"), "/panel.css": ("panel.css", "text/css")}  # fmt: skip

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
                               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}  # fmt: skip


class ReviewServer(ThreadingHTTPServer):
    """The page of one desk. ``url`` holds the token; ``once`` is a link that works a single time."""

    daemon_threads = True

    def __init__(self, desk: Desk) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.desk = desk
        self.token = secrets.token_urlsafe(32)
        self._ticket: str | None = secrets.token_urlsafe(32)
        self._lock = threading.Lock()

    @property
    def port(self) -> int:
        """The port the system picked."""
        return self.server_address[1]

    @property
    def url(self) -> str:
        """The page's address, for as many windows as wanted."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def once(self) -> str:
        """An address for a program's command line, which others may see: it lets in the first who comes with it."""
        return f"http://127.0.0.1:{self.port}/?token={self._ticket}"

    def admits(self, token: str) -> bool:
        """Whether a token from an address opens the page; a ticket is used up."""
        with self._lock:
            ticket, good = self._ticket, hmac.compare_digest(token.encode(), self.token.encode())
            if ticket and hmac.compare_digest(token.encode(), ticket.encode()):
                self._ticket, good = None, True
        return good

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves in the middle of an answer is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    timeout = _IDLE
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "clabber", ""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        token = parse_qs(parts.query).get("token", [None])[0]
        if not self._is_host():
            self._refuse(HTTPStatus.FORBIDDEN, "This page is only for this computer.")
        elif parts.path == "/" and token is not None and self.server.admits(token):
            self._let_in()
        elif not self._is_known():
            self._refuse(HTTPStatus.FORBIDDEN, "Open the address that clabber review printed in its window.")
        elif parts.path not in _FILES:
            self._refuse(HTTPStatus.NOT_FOUND, "There is no such page.")
        else:
            name, kind = _FILES[parts.path]
            data = (resources.files("scanner.review") / "web" / name).read_bytes()
            self._send(HTTPStatus.OK, data, f"{kind}; charset=utf-8")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not self._is_host() or not self._is_known() or not self._is_ours():
            self._refuse(HTTPStatus.FORBIDDEN, "This request does not come from the page.")
        elif not length.isdecimal() or int(length) > _MOST_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "This request is too large.")
        elif not self.path.startswith("/act/"):
            self._refuse(HTTPStatus.NOT_FOUND, "There is no such request.")
        else:
            self._act(self.path.removeprefix("/act/"), self.rfile.read(int(length)))

    def _act(self, name: str, body: bytes) -> None:
        try:
            args = json.loads(body or b"{}")
            if not isinstance(args, dict):
                raise ValueError("not an object")
            reply = self.server.desk.act(name, args)
        except (ClabberError, ValueError, RecursionError) as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        else:
            self._send(HTTPStatus.OK, json.dumps(reply).encode(), "application/json")

    def _is_host(self) -> bool:
        hosts = (f"127.0.0.1:{self.server.port}", f"localhost:{self.server.port}")
        return self.headers.get_all("Host", []) in [[host] for host in hosts]

    def _is_known(self) -> bool:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(cookie.value.encode(), self.server.token.encode())

    def _is_ours(self) -> bool:
        origin = self.headers.get("Origin")
        own = origin is None or origin == f"http://{self.headers['Host']}"
        # Another site cannot send a header of its own without asking first, and nobody answers that question here.
        return own and self.headers.get("X-Clabber") == "review"

    @property
    def _cookie(self) -> str:
        # Cookies do not know ports: two seasons reviewed at once must not throw each other out.
        return f"clabber{self.server.port}"

    def _let_in(self) -> None:
        """Takes the token out of the address bar, the history and the Referer, into a cookie."""
        cookie = f"{self._cookie}={self.server.token}; HttpOnly; SameSite=Strict; Path=/"
        self._send(HTTPStatus.SEE_OTHER, b"", "text/plain", {"Location": "/", "Set-Cookie": cookie})

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        self.close_connection = True
        self._send(status, json.dumps({"error": message}).encode(), "application/json")

    def _send(self, status: HTTPStatus, data: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(data)), **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """No log: addresses hold the token."""


def serve(desk: Desk, say: Callable[[str], None], open_browser: Callable[[str], object] | None = None) -> None:
    """Serves the page until interrupted. ``say`` is told the address, ``open_browser`` a link that works once."""
    with ReviewServer(desk) as server:
        say(server.url)
        if open_browser is not None:
            threading.Thread(target=open_browser, args=(server.once,), daemon=True).start()
        server.serve_forever(poll_interval=0.2)
