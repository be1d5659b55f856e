"""A head whose lines were not found is unread, not wrong."""

from __future__ import annotations

from scanner.reader.head import read_head


def test_nothing_found_is_empty_texts_without_confidence():
    head = read_head({})
    assert {s: (label.text, label.confidence) for s, label in head.teams.items()} == {"we": ("", 0), "they": ("", 0)}
    assert (head.date.text, head.date.iso, head.date.confidence) == ("", None, 0)
