"""Examples that help texts end with; ``\\b`` keeps the lines of the paragraph after it as they are."""

from __future__ import annotations

#: One typed sheet, in both kinds of text file.
TYPED = """\
One sheet as JSON:

\b
  {"layout": "evansville", "date": "2026-03-07",
   "teams": {"we": "Eagles", "they": "Owls"},
   "games": [{"rows": [{"we_total": "262", "they_total": "20"},
                       {"we_total": "524", "they_total": "40"}],
              "winner_mark": "we"}]}

As CSV (UTF-8), one line a hand:

\b
  layout,date,we,they,we_total,they_total,winner_mark
  evansville,2026-03-07,Eagles,Owls,262,20,
  ,,,,524,40,we
"""
