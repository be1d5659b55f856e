"""Pages of a PDF as pictures. Nothing in a PDF is run or followed: no scripts, no forms, no links."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from scanner.intake.limits import MOST_PAGES, MOST_PIXELS
from scanner.intake.refusal import Refused

#: Long side of a page's picture in pixels: letter and A4 paper at 300 dpi, what a scanner gives by default.
PAGE_SIDE = 3500
#: PDFium may not be called from two threads of a process (its documentation); the workers of a cluster have several.
_ONE_AT_A_TIME = threading.Lock()


def count_pages(data: bytes) -> int:
    """Number of pages of a PDF.

    Raises:
        Refused: encrypted, damaged, without pages, or with more than :data:`MOST_PAGES`.
    """
    with _opened(data) as document:
        pages = len(document)
    if pages > MOST_PAGES:
        raise Refused("too-large", f"the PDF has {pages} pages, at most {MOST_PAGES} are read at a time. "
                                   "Split it, one evening a file.")
    if not pages:
        raise Refused("truncated", "the PDF has no pages. Make it again.")
    return pages


def render(data: bytes, number: int) -> np.ndarray:
    """Page ``number`` (from 1) as uint8 RGB, its long side :data:`PAGE_SIDE` pixels, turned as a viewer shows it.

    Raises:
        Refused: as :func:`count_pages`, no such page, or a picture in it that is too large to unpack.
    """
    with _opened(data) as document:
        if not 1 <= number <= len(document):
            raise Refused("not-an-image", f"the PDF has {len(document)} pages, there is no page {number}.")
        try:
            page = document[number - 1]
            _refuse_bombs(page)
            width, height = (max(1.0, float(side)) for side in page.get_size())
            scale = PAGE_SIDE / max(width, height)
            bitmap = page.render(scale=scale, rev_byteorder=True, may_draw_forms=False)
            pixels = np.array(bitmap.to_numpy()[..., :3])
            bitmap.close()
            page.close()
        except Refused:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a damaged page trips over
            raise Refused("truncated", f"this page of the PDF is damaged ({error}). Make the PDF again.") from error
    return pixels if pixels.shape[2] == 3 else np.repeat(pixels[..., :1], 3, axis=2)


def _refuse_bombs(page) -> None:
    """A few bytes of PDF can hold a picture that fills all memory when it is unpacked; its size is in its header."""
    import pypdfium2.raw as raw

    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=15):
        width, height = item.get_px_size()
        if width * height > MOST_PIXELS:
            raise Refused("too-large", f"a picture of {width} x {height} pixels is on this page; at most "
                                       f"{MOST_PIXELS // 1_000_000} megapixels are read. Save it smaller.")


@contextmanager
def _opened(data: bytes) -> Iterator:
    try:
        import pypdfium2
    except ImportError as error:
        raise Refused("unsupported", "PDF files need the package pypdfium2: pip install pypdfium2. "
                                     "Or save the pages as JPEG or PNG and scan those.") from error
    with _ONE_AT_A_TIME:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).lower() or "security" in str(error).lower():
                raise Refused("unsupported", "the PDF is locked with a password. Open it with the password, print "
                                             "it to a new PDF, and scan that.") from error
            why = str(error).rstrip(".")
            raise Refused("truncated", f"the PDF is damaged or incomplete ({why}). Copy or make it again.") from error
        try:
            yield document
        finally:
            document.close()
