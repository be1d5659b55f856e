"""The panel as a notebook's widget: the same requests and answers as the page, over the widget's own channel."""

from __future__ import annotations

import pytest
from review_tools import make_season

from scanner.sheet.errors import SeasonError

pytest.importorskip("anywidget", reason="the widget needs the extra lab")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from the widget libraries themselves


@pytest.fixture
def panel(tmp_path):
    from scanner.review.widget import review_panel

    panel = review_panel(make_season(tmp_path))
    panel.sent = []
    panel.send = panel.sent.append
    yield panel
    panel.close()


def ask(panel, act: str, args: object = None) -> dict:
    panel._handle_custom_msg({"id": 7, "act": act, "args": args}, [])
    assert panel.sent[-1]["id"] == 7
    return panel.sent[-1]["reply"]


def test_it_asks_and_answers_as_the_page_does(panel):
    item = ask(panel, "next")["item"]
    after = ask(panel, "answer", {"place": item["place"], "text": item["guess"], "by": "Ruth", "seen": item["seen"]})
    assert after["item"]["place"] != item["place"]
    assert ask(panel, "undo", {"by": "Ruth"})["undone"] == item["place"]


def test_odd_messages_are_answered_with_an_error(panel):
    assert "error" in ask(panel, "close")
    assert "error" in ask(panel, "answer", {"place": 3})


def test_it_carries_the_very_panel_the_page_loads(panel):
    assert "export default { render }" in panel._esm and ".clabber-review" in panel._css


def test_no_season_no_panel(tmp_path):
    from scanner.review.widget import review_panel

    with pytest.raises(SeasonError, match="no such season file"):
        review_panel(tmp_path / "none.db")
