"""A small season to review: drawn photos, hand-worked games, and readings with the doubts a test wants."""

from __future__ import annotations

import hashlib
import http.client
import json
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from scanner.review.grids import boxes
from scanner.scorekeeper.decode import decode_game
from scanner.season.store import open_season
from scanner.sheet.layout import Layout, load_layout, parse_layout
from scanner.sheet.reading import CellReading, certain
from scanner.sheet.results import Label, PhotoResult, Quad, SheetResult
from scanner.sheet.texts import VOCABULARY

QUAD: Quad = ((100.0, 300.0), (700.0, 310.0), (690.0, 1000.0), (95.0, 990.0))
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

#: A pad without check columns, a user's own: nothing on it says which of two possible totals is the right one.
PLAIN = parse_layout(
    """
    name = "plain"
    rows = 8
    row_height = 9.0
    [[columns]]
    key = "we_total"
    titles = ["WE"]
    width = 24.0
    [[columns]]
    key = "they_total"
    titles = ["THEY"]
    width = 24.0
    """,
    "plain.toml",
)
BESIDE = load_layout("beside")

#: Hand-worked: 92 + 70, 82 + 80, 162 + 0, 162 + 0, 102 + 60. We win 600 to 210.
TOTALS = [("92", "70"), ("174", "150"), ("336", "-"), ("498", "-"), ("600", "210"), ("W", "")]
#: The same hands, but 92 and 82 were added to 164: 590 to 210 on paper, 600 to 210 in truth.
SLIPPED = [("92", "92", "70", "70"), ("82", "164", "150", "80"), ("162", "326", "150", "-"), ("162", "488", "150", "-"),
           ("102", "590", "210", "60"), ("", "W", "", "")]


def doubt(*chances: tuple[str, float]) -> CellReading:
    """A reading with these probabilities; what is left is shared by all other texts."""
    known = dict(chances)
    rest = max(1e-9, 1 - sum(known.values())) / (len(VOCABULARY) - len(known))
    probabilities = np.array([known.get(text, rest) for text in VOCABULARY])
    return CellReading(np.log(probabilities / probabilities.sum()))


def readings(layout: Layout, rows, doubts=None) -> dict[tuple[int, str], CellReading]:
    """Certain readings of rows of texts, empty below them, with doubts put in."""
    found = {}
    for number in range(1, layout.rows + 1):
        texts = rows[number - 1] if number <= len(rows) else ("",) * len(layout.keys)
        found |= {(number, key): certain(text) for key, text in zip(layout.keys, texts, strict=True)}
    return found | (doubts or {})


def draw_photo(path: Path, layout: Layout, rows) -> tuple[str, int, int]:
    """A drawn photo of a sheet, its grid at QUAD: its SHA-256 and size."""
    image = Image.new("RGB", (800, 1100), "#f4f1e4")
    pen = ImageDraw.Draw(image)
    for (row, key), box in boxes(QUAD, layout).items():
        pen.polygon([tuple(p) for p in box], outline="#335577")
        if row <= len(rows):
            pen.text(box[0], "  " + rows[row - 1][layout.keys.index(key)], fill="black", font_size=36)
    pen.text((100, 100), path.stem, fill="black", font_size=50)
    image.save(path, quality=90)
    return hashlib.sha256(path.read_bytes()).hexdigest(), image.width, image.height


def add_sheet(season: Path, name: str, layout: Layout, rows, doubts=None, we="Eagles", they="Owls", date="2026-03-07"):
    """Draw a sheet beside the season file, decode it, and save it."""
    sha, width, height = draw_photo(season.parent / name, layout, rows)
    read = readings(layout, rows, doubts)
    game = decode_game(read, layout).placed(1, QUAD, 0.01, boxes(QUAD, layout))
    label = {"we": Label(we or "", 0.99 if we else 0.0), "they": Label(they or "", 0.99 if they else 0.0)}
    sheet = SheetResult(layout.name, 0.99, QUAD, (game,), label, Label(date or "", 0.99 if date else 0.0, date))
    result = PhotoResult(name, sha, width, height, (sheet,))
    with open_season(season) as file:
        file.add_photo(result, {(1, 1, *place): r for place, r in read.items()}, layouts=[layout])
    return f"{sha[:8]}/1"


def make_season(folder: Path) -> Path:
    """Three sheets: two doubtful totals, a slip that moves ten points, a hostile name and a name nobody could read."""
    season = folder / "season.db"
    doubts = {(5, "we_total"): doubt(("600", 0.4), ("620", 0.59)),
              (5, "they_total"): doubt(("210", 0.5), ("230", 0.49))}
    add_sheet(season, "doubtful.jpg", PLAIN, TOTALS, doubts)
    add_sheet(season, "slipped.jpg", BESIDE, SLIPPED, we="Hawks", they="Owls")
    add_sheet(season, "named.jpg", PLAIN, TOTALS, we=HOSTILE, they=None)
    return season


class Client:
    """A program that talks to the page's server as the page does, or as it should not."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self.port = port
        self.cookie = f"clabber{port}={token}" if token else None

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        return self._ask("GET", path, None, headers)

    def act(self, name: str, **args: object) -> dict:
        answer = self.post(f"/act/{name}", args)
        assert answer.status == 200, answer.status
        return answer.document

    def post(self, path: str, args: object, **headers: str):
        body = json.dumps(args).encode()
        return self._ask("POST", path, body, {"Content-Type": "application/json", "X-Clabber": "review", **headers})

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
        if self.cookie:
            headers.setdefault("Cookie", self.cookie)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.body = answer.read()
        answer.document = json.loads(answer.body) if "json" in answer.headers["Content-Type"] and answer.body else None
        connection.close()
        return answer
