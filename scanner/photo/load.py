"""A photo, wherever it is stored, to upright RGB pixels, or the reason why not.

Pillow is the only decoder of pictures, PDFium of PDF pages; the kind of a file is told by its content, never by its
name. Sizes are checked on the header, before anything large is allocated.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from scanner.intake import pdfs, tiffs
from scanner.intake.kinds import HEAD, PICTURES, kind_of
from scanner.intake.limits import MOST_BYTES, MOST_PIXELS
from scanner.intake.places import Source, fingerprint, read_source
from scanner.intake.refusal import Refused
from scanner.sheet.results import PhotoError

__all__ = ["MOST_BYTES", "MOST_PIXELS", "Photo", "decode", "fingerprint", "load"]

# A phone's MPO is opened as JPEG and named MPO afterwards; asked for by name it is an unknown format to Pillow.
_FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP", "AVIF")
_RESAVE = "Save it as JPEG or PNG and scan that."
_NO_HEIC = ("{name}: HEIC photos need the package pillow-heif: run make extras in the project's folder, or "
            "pip install 'clabber-sheets[heic]'. Or let the phone take JPEG (iPhone: Settings, Camera, Formats, Most "
            "Compatible), or save this one as JPEG.")
# EXIF orientation -> what turns the stored pixels upright (EXIF 2.32, tag 0x0112).
_TURNS = {
    2: lambda a: cv2.flip(a, 1),
    3: lambda a: cv2.rotate(a, cv2.ROTATE_180),
    4: lambda a: cv2.flip(a, 0),
    5: lambda a: cv2.transpose(a),
    6: lambda a: cv2.rotate(a, cv2.ROTATE_90_CLOCKWISE),
    7: lambda a: cv2.rotate(cv2.transpose(a), cv2.ROTATE_180),
    8: lambda a: cv2.rotate(a, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
# Turns that put the stored first row last, as a row or as a column; from 5 on rows become columns.
_FROM_END = (3, 4, 6, 7)
#: Rows taken over from Pillow at a time: a band of them stays in the processor's cache, the picture does not, and
#: copying it as a whole takes longer than decoding it.
_BAND = 128
# Pillow keeps this many blocks of 16 MB for the next photo (PILLOW_BLOCKS_MAX in its manual). Without them the system
# gives a 12-megapixel photo its 48 MB page by page each time: 251 ms to the cut cells became 228, decoding 35 to 23.
Image.core.set_blocks_max(4)


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded photo.

    Attributes:
        name: the path as given; ``night.zip/IMG_1.jpg`` in a zip, ``night.pdf#page=3`` for a page.
        sha256: hexadecimal digest of the file's bytes; of a page, see :attr:`scanner.intake.places.Source.sha256`.
        pixels: uint8 RGB, shape (height, width, 3), as a viewer shows it (EXIF turn applied).
        notes: what a person should know of how it was read, in sentences.
    """

    name: str
    sha256: str
    pixels: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Width in pixels, as a viewer shows it."""
        return self.pixels.shape[1]

    @property
    def height(self) -> int:
        """Height in pixels, as a viewer shows it."""
        return self.pixels.shape[0]


def load(path: str | Path) -> Photo | PhotoError:
    """The photo a name leads to (see :mod:`scanner.intake.places`), or why there is none and what to do about it."""
    source = read_source(str(path))
    return source if isinstance(source, PhotoError) else _opened(source)


def decode(data: bytes, name: str, page: int | None = None) -> Photo | PhotoError:
    """The photo in the bytes of a file; ``name`` stands in messages, ``page`` (from 1) is wanted of a PDF or TIFF."""
    return _opened(Source(name, data, page))


def _opened(source: Source) -> Photo | PhotoError:
    name, kind = source.name, kind_of(source.data[:HEAD])
    try:
        if kind == "PDF":
            return Photo(name, source.sha256, _pdf_page(source))
        if kind == "HEIC" and not _heic_ready():
            return PhotoError("unsupported", _NO_HEIC.format(name=name))
        return _picture(source, kind)
    except Refused as refusal:
        return PhotoError(refusal.code, f"{name}: {refusal.reason}")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError):
        return _too_large(name, "too many pixels")
    except UnidentifiedImageError:
        return _unidentified(kind, name)
    except Exception as error:  # noqa: BLE001 - damaged files raise whatever a decoder trips over
        return PhotoError("truncated", f"{name}: the {kind or 'image'} file is damaged or incomplete ({error}). "
                                       "Copy it from the phone again.")


def _picture(source: Source, kind: str | None) -> Photo | PhotoError:
    formats = ("HEIF",) if kind == "HEIC" else _FORMATS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # EXIF and palette oddities that do not touch the pixels
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(source.data), formats=formats) as image:
            notes = _turned_to(image, source)
            refusal = _refusal(image, source.name)
            if refusal:
                return refusal
            pixels = _upright(image, _orientation(image))
    return Photo(source.name, source.sha256, pixels, notes)


def _turned_to(image: Image.Image, source: Source) -> tuple[str, ...]:
    """Turns a file of several pictures to the one that is meant, and says what is left out."""
    if image.format == "TIFF":
        frames = tiffs.page_frames(source.data)
        page = source.page or 1
        if page > max(1, len(frames)):
            raise Refused("not-an-image", f"the TIFF has {len(frames)} pages, there is no page {page}.")
        if frames:
            image.seek(frames[page - 1])
        return (f"{source.name}: only the first of {len(frames)} pages was read.",) * (
            source.page is None and len(frames) > 1)
    if source.page is not None:
        raise Refused("not-an-image", f"a {image.format} picture has no pages. Leave out #page={source.page}.")
    # A phone's MPO or HEIC holds further pictures of the same moment (depth, gain map); the first is the photo.
    if image.format in ("GIF", "WEBP", "PNG", "AVIF") and getattr(image, "n_frames", 1) > 1:
        return (f"{source.name}: an animated picture; only its first frame was read.",)
    return ()


def _pdf_page(source: Source) -> np.ndarray:
    if source.page is None and (pages := pdfs.count_pages(source.data)) > 1:
        raise Refused("not-an-image", f"a PDF of {pages} pages; give one as {Path(source.name).name}#page=1.")
    return pdfs.render(source.data, source.page or 1)


def _heic_ready() -> bool:
    """Whether Pillow can open HEIC here: with the package of the optional group ``heic``."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener()
    return True


def _unidentified(kind: str | None, name: str) -> PhotoError:
    if kind in PICTURES:
        return PhotoError("truncated", f"{name}: the {kind} file is damaged or incomplete. "
                                       "Copy it from the phone again.")
    if kind is not None:
        return PhotoError("unsupported", f"{name}: {kind} files are not read. {_RESAVE}")
    return PhotoError("not-an-image", f"{name}: not a picture, PDF or zip of pictures. {_RESAVE}")


def _too_large(name: str, size: str) -> PhotoError:
    return PhotoError("too-large", f"{name}: too large ({size}; at most {MOST_PIXELS // 1_000_000} megapixels and "
                                   f"{MOST_BYTES // 1_000_000} MB are read). Save it at half the size and scan that.")


def _refusal(image: Image.Image, name: str) -> PhotoError | None:
    width, height = image.size
    return _too_large(name, f"{width} x {height} pixels") if width * height > MOST_PIXELS else None


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(0x0112, 1)
        return int(value)
    except Exception:  # noqa: BLE001 - a damaged EXIF block must not cost the photo
        return 1


def _upright(image: Image.Image, turn: int) -> np.ndarray:
    """Pixels as uint8 RGB, shape (height, width, 3), turned as the EXIF orientation ``turn`` asks."""
    image = _rgb(image)
    (width, height), turned = image.size, _TURNS.get(turn, np.asarray)
    across = turn in _TURNS and turn > 4
    pixels = np.empty((width, height, 3) if across else (height, width, 3), np.uint8)
    for top in range(0, height, _BAND):
        low = min(top + _BAND, height)
        place = slice(height - low, height - top) if turn in _FROM_END else slice(top, low)
        pixels[(slice(None), place) if across else place] = turned(np.asarray(image.crop((0, top, width, low))))
    return pixels


def _rgb(image: Image.Image) -> Image.Image:
    """The picture in mode RGB: 16-bit scaled down, CMYK and palettes converted, transparency laid on white paper."""
    image.load()
    if image.mode in ("I;16", "I;16L", "I;16B", "I", "F"):
        grey = np.asarray(image, dtype=np.float32)
        scale = 255.0 / 65535.0 if grey.max(initial=0) > 255 else 1.0
        grey = np.clip(grey * scale + 0.5, 0, 255).astype(np.uint8)
        return Image.fromarray(grey).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, (255, 255, 255, 255))
        image = Image.alpha_composite(paper, image)
    return image if image.mode == "RGB" else image.convert("RGB")
