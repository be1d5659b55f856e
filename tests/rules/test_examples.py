"""The examples in the docstrings of the rules, run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from scanner import rules

MODULES = [m.name for m in pkgutil.iter_modules(rules.__path__, "scanner.rules.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
