"""How much is taken at most, so that no file, however it was made, costs more memory or time than a photo may."""

from __future__ import annotations

#: Larger pictures are refused: at 3 bytes a pixel and one copy for the EXIF turn, 80 million stay under 500 MB.
MOST_PIXELS = 80_000_000
#: Larger files are refused: an uncompressed 16-bit TIFF of a 24-megapixel camera has 144 MB.
MOST_BYTES = 200_000_000
#: Pages of a PDF or TIFF: a league of 40 teams fills fewer sheets in a year, and a thousand take a quarter of an hour.
MOST_PAGES = 1000
#: Photos in a zip; more than a phone's whole camera roll of card nights.
MOST_MEMBERS = 5000
#: Bytes of a zip's table of contents, about 100 a file: four times what :data:`MOST_MEMBERS` need. It is read whole.
MOST_CONTENTS = 2_000_000
#: A file in a zip that swells more than this was made to: a blank page stored raw and deflated shrinks 200-fold.
MOST_SWELL = 400
#: ... but a small file may: a kilobyte of drawing on a white page is no bomb below this many bytes.
SMALL = 4_000_000
