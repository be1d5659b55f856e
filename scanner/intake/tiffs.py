"""Pages of a TIFF: scanners put many in one file, cameras a small preview beside the picture."""

from __future__ import annotations

import io
import warnings

from PIL import Image

from scanner.intake.limits import MOST_PAGES
from scanner.intake.refusal import Refused

# Tag NewSubfileType (TIFF 6.0, section 8); its lowest bit says: a smaller copy of another picture in this file.
_SUBFILE, _REDUCED = 254, 1


def page_frames(data: bytes) -> list[int]:
    """Frame numbers (from 0) of the TIFF's pages, previews left out; empty if it cannot be told.

    Raises:
        Refused: more pages than :data:`MOST_PAGES`.
    """
    frames: list[int] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=("TIFF",)) as image:
                for frame in range(MOST_PAGES + 1):
                    image.seek(frame)
                    if not int(image.tag_v2.get(_SUBFILE, 0)) & _REDUCED:
                        frames.append(frame)
    except EOFError:
        pass
    except Exception:  # noqa: BLE001 - decoding says what is wrong with a damaged one
        return []
    if len(frames) > MOST_PAGES:
        raise Refused("too-large", f"the TIFF has more than {MOST_PAGES} pages. Split it, one evening a file.")
    return frames
