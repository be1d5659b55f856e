"""The review panel inside JupyterLab or a notebook; needs the extra ``lab``."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from scanner.review.desk import Desk, Tools
from scanner.sheet.errors import ClabberError

if TYPE_CHECKING:
    from anywidget import AnyWidget


def review_panel(season: str | Path, photos: str | Path | None = None, tools: Tools | None = None) -> AnyWidget:
    """The panel ``clabber review`` serves as a page, as a widget; closing the widget lets go of the season file.

    Args:
        season: the season file.
        photos: a folder of photos, if they are no longer where they were scanned.
        tools: a reader and a league table, if moved grids shall be read and the table compared.

    Raises:
        SeasonError: the season file is unusable.
    """
    import anywidget

    web = resources.files("scanner.review") / "web"

    class ReviewPanel(anywidget.AnyWidget):
        """The panel; messages ``{id, act, args}`` come in, ``{id, reply}`` go out."""

        _esm = (web / "panel.js").read_text("utf-8")
        _css = (web / "panel.css").read_text("utf-8")

        def __init__(self, desk: Desk) -> None:
            super().__init__()
            self.desk = desk
            self.on_msg(self._handle)

        def _handle(self, _: object, message: dict, __: object) -> None:
            try:
                reply = self.desk.act(str(message.get("act")), dict(message.get("args") or {}))
            except ClabberError as error:
                reply = {"error": str(error)}
            self.send({"id": message.get("id"), "reply": reply})

        def close(self) -> None:
            """Close the widget and the season file."""
            self.desk.close()
            super().close()

    return ReviewPanel(Desk(Path(season), [Path(photos)] if photos else [], tools or Tools()))
