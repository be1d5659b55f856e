"""Workbooks read back by another program: every value as it was, every text a text."""

from __future__ import annotations

import datetime
import math
import re
import zipfile
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import schemas
from analysis.export import write_xlsx

TEXTS = ["=1+1", "+1", "-1", "@SUM(A1)", "http://evil", "mailto:a@b", " lead and trail ", "a\tb", "line\nline", "007",
         "_x0041_", "<c>&amp;\"'", "Ωμέγα", "\U0001f600", "", "TRUE", "2026-03-07", "1e5"]


def back(path) -> dict[str, list[tuple]]:
    book = openpyxl.load_workbook(path)
    assert all(cell.data_type != "f" and cell.hyperlink is None for s in book for row in s.iter_rows() for cell in row)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_every_kind_of_value_comes_back(tmp_path):
    frame = pd.DataFrame({
        "whole": pd.array([1, None, -3], dtype=schemas.INT), "number": [0.5, math.nan, math.inf],
        "true": [True, False, True], "maybe": pd.array([True, None, False], dtype="boolean"),
        "day": pd.Series(pd.to_datetime(["2026-03-07", None, "1900-03-01"])).astype(schemas.DAY),
        "old": pd.Series(pd.to_datetime(["1899-12-31", None, "2026-03-07"])).astype(schemas.DAY),
        "moment": pd.to_datetime(["2026-03-08T10:00:00Z", None, "2026-03-08T10:00:01Z"], utc=True),
        "text": pd.array(["a", None, "=b"], dtype=schemas.TEXT), "object": ["x", None, 3]})
    rows = back(write_xlsx({"one": frame, "two": frame.iloc[:0], "three": pd.DataFrame()}, tmp_path / "book.xlsx"))
    day = datetime.datetime
    assert rows["one"] == [
        tuple(frame.columns),
        (1, 0.5, True, True, day(2026, 3, 7), "1899-12-31", "2026-03-08T10:00:00+00:00", "a", "x"),
        (None, None, False, None, None, None, None, None, None),
        (-3, None, True, False, day(1900, 3, 1), "2026-03-07", "2026-03-08T10:00:01+00:00", "=b", "3")]
    assert rows["two"] == [tuple(frame.columns)] and rows["three"] == []


def test_every_text_comes_back_as_text(tmp_path):
    rows = back(write_xlsx({"s": pd.DataFrame({"t": TEXTS})}, tmp_path / "book.xlsx"))["s"]
    told = [text or "" for (text,) in rows[1:]]
    assert told == TEXTS


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=8))
def test_any_text_gives_a_workbook_that_opens(tmp_path_factory, texts):
    path = tmp_path_factory.getbasetemp() / "any.xlsx"
    rows = back(write_xlsx({"s": pd.DataFrame({"t": texts})}, path))["s"]
    # Excel shows _x001F_ as the control character it stands for; openpyxl leaves it so.
    shown = [re.sub("_x(00[01][0-9A-F]|FFF[EF])_", lambda m: chr(int(m[1], 16)), text or "") for (text,) in rows[1:]]
    expected = ["".join("?" if "\ud800" <= c <= "\udfff" else c for c in text) for text in texts]
    assert shown == expected


def test_the_parts_are_well_formed_and_the_same_each_time(tmp_path):
    frame = pd.DataFrame({"a": range(30), "b": TEXTS[:10] * 3, "c": np.linspace(0, 1, 30)})
    one, two = (write_xlsx({"s & s": frame}, tmp_path / name).read_bytes() for name in ("1.xlsx", "2.xlsx"))
    assert one == two
    with zipfile.ZipFile(tmp_path / "1.xlsx") as archive:
        names = archive.namelist()
        for name in names:
            ElementTree.fromstring(archive.read(name))
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        parts = {e.attrib["PartName"].lstrip("/") for e in types if "PartName" in e.attrib}
        assert parts == {n for n in names if not n.endswith(".rels") and n != "[Content_Types].xml"}


def test_the_heading_stays_and_can_be_filtered(tmp_path):
    sheet = openpyxl.load_workbook(write_xlsx({"s": pd.DataFrame({"a": [1], "b": ["x"]})}, tmp_path / "b.xlsx"))["s"]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:B2") and sheet["A1"].font.bold


def test_pandas_reads_what_was_written(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "=y"], "d": pd.to_datetime(["2026-03-07", "2026-03-08"])})
    read = pd.read_excel(write_xlsx({"s": frame}, tmp_path / "b.xlsx"))
    pd.testing.assert_frame_equal(read, frame, check_dtype=False)


@pytest.mark.parametrize("columns", [1, 26, 27, 703])
def test_wide_frames_have_their_columns_named_as_excel_does(tmp_path, columns):
    frame = pd.DataFrame(np.arange(columns)[None, :], columns=[f"c{i}" for i in range(columns)])
    assert back(write_xlsx({"s": frame}, tmp_path / "b.xlsx"))["s"][1] == tuple(range(columns))
