"""``clabber layout learn``: a layout file to start from, learnt from a photo of a pad that no known layout fits."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

from scanner.commands.status import ExitCode, say
from scanner.output.files import write_atomically
from scanner.output.plain import plain
from scanner.photo.learn import Learned, learn_table
from scanner.photo.load import Photo, load
from scanner.photo.naming import heading_words
from scanner.photo.rulings import line_map
from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout
from scanner.sheet.layout_file import guessed, layout_toml

_REMARK = """\
A start, learnt from {photo}: {looks}.
Check it before use: what each column holds (key = one of we_points, they_points, we_total, they_total, hand_check,
total_check, number; any other name with free = true), and that the first row is the printed heading row.
Then: clabber scan PHOTO --layout THIS-FILE --overlay FOLDER, and look whether the grid lies on the rulings."""


def learn(path: Path, out: str | None, name: str | None) -> ExitCode:
    """Write the layout of the table in a photo to ``out`` ("-" for stdout; by default the photo's name with .toml).

    Raises:
        InputError: no photo, no ruled table in it, or the file is there already.
    """
    photo = load(path)
    if not isinstance(photo, Photo):
        raise InputError(photo.message)
    table = learn_table(line_map(photo.pixels))
    if table is None:
        raise InputError(f"{path}: no ruled table found. Photograph one sheet from above, flat, all of it in the "
                         "picture, an empty one if there is any.")
    layout = _named(photo, table, name or path.stem)
    text = layout_toml(layout, _REMARK.format(photo=plain(path.name), looks=table.looks))
    if out == "-":
        sys.stdout.write(text)
        return ExitCode.OK
    target = Path(out) if out else Path(f"{_slug(name or path.stem)}.toml")
    if target.exists():
        raise InputError(f"{target}: is there already. Remove it, or give another name with --out.")
    write_atomically(target, text.encode())
    say(f"{path}: {table.looks}; written to {target}. What the columns hold is a guess: correct the file, then scan "
        f"with --layout {target}")
    return ExitCode.OK


def _named(photo: Photo, table: Learned, name: str) -> Layout:
    """The layout with the headings printed in the table's first row, as far as they can be read."""
    layout = replace(table.layout, name=_slug(name))
    edges = [x / layout.x_lines[-1] for x in layout.x_lines]
    words = heading_words(photo.pixels, table.nodes, layout)["first"]
    titles = []
    for left, right in zip(edges, edges[1:], strict=False):
        inside = sorted((at, w.text) for w, at in words if left < at < right and w.confidence > 0.4)
        titles.append(re.sub(r"[^\w#. ]", "", " ".join(text for _, text in inside)).strip("_. ")[:24])
    return guessed(layout, titles)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "learnt"
