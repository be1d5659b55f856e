"""A photo file to upright RGB pixels, or the reason why not.

Pillow is the only decoder; the kind of file is told by its content, never by its name. Sizes are checked on the header,
before anything large is allocated.
"""

from __future__ import annotations

import hashlib
import io
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from scanner.sheet.results import PhotoError

#: Larger pictures are refused: at 3 bytes a pixel and one copy for the EXIF turn, 80 million stay under 500 MB.
MOST_PIXELS = 80_000_000
#: Larger files are refused: an uncompressed 16-bit TIFF of a 24-megapixel camera has 144 MB.
MOST_BYTES = 200_000_000

# A phone's MPO is opened as JPEG and named MPO afterwards; asked for by name it is an unknown format to Pillow.
_FORMATS = ("JPEG", "PNG", "WEBP", "TIFF")
_RESAVE = "Save it as JPEG or PNG and scan that."
# First bytes of files people do send, and what they should do about them (offset, bytes, name of the kind).
_MAGIC = (
    (0, b"\xff\xd8\xff", "JPEG"), (0, b"\x89PNG\r\n", "PNG"), (8, b"WEBP", "WebP"), (0, b"II*\0", "TIFF"),
    (0, b"MM\0*", "TIFF"), (0, b"II+\0", "BigTIFF"), (0, b"GIF8", "GIF"), (0, b"BM", "BMP"), (0, b"%PDF", "PDF"),
    (0, b"PK\x03\x04", "zip"), (4, b"ftyphei", "HEIC"), (4, b"ftyphev", "HEIC"), (4, b"ftypmif1", "HEIC"),
    (4, b"ftypmsf1", "HEIC"), (4, b"ftypavif", "AVIF"), (4, b"ftypqt", "video"), (4, b"ftypmp4", "video"),
    (4, b"ftypisom", "video"),
)
_READ = ("JPEG", "PNG", "WebP", "TIFF")
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


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded photo.

    Attributes:
        name: the path as given.
        sha256: hexadecimal digest of the file's bytes.
        pixels: uint8 RGB, shape (height, width, 3), as a viewer shows it (EXIF turn applied).
    """

    name: str
    sha256: str
    pixels: np.ndarray

    @property
    def width(self) -> int:
        """Width in pixels, as a viewer shows it."""
        return self.pixels.shape[1]

    @property
    def height(self) -> int:
        """Height in pixels, as a viewer shows it."""
        return self.pixels.shape[0]


def load(path: str | Path) -> Photo | PhotoError:
    """The photo in a JPEG, PNG, WebP or TIFF file, or a :class:`PhotoError` that names the file and the cure."""
    data = _read_bytes(Path(path))
    return data if isinstance(data, PhotoError) else decode(data, str(path))


def decode(data: bytes, name: str) -> Photo | PhotoError:
    """The photo in the bytes of a file (also one from a zip); ``name`` stands in messages."""
    kind = _kind(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # EXIF and palette oddities that do not touch the pixels
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                refusal = _refusal(image, name)
                if refusal:
                    return refusal
                turn = _orientation(image)
                pixels = _rgb(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError):
        return _too_large(name, "too many pixels")
    except UnidentifiedImageError:
        return _unidentified(kind, name)
    except Exception as error:  # noqa: BLE001 - damaged files raise whatever a decoder trips over
        return PhotoError("truncated", f"{name}: the {kind or 'image'} file is damaged or incomplete ({error}). "
                                       "Copy it from the phone again.")
    return Photo(name, hashlib.sha256(data).hexdigest(), _TURNS.get(turn, np.ascontiguousarray)(pixels))


def _read_bytes(path: Path) -> bytes | PhotoError:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return PhotoError("not-an-image", f"{path}: is a folder, not a photo. Give the photos in it.")
        if not stat.S_ISREG(status.st_mode):
            return PhotoError("not-an-image", f"{path}: is no ordinary file. Copy the photo to a file first.")
        if status.st_size == 0:
            return PhotoError("not-an-image", f"{path}: the file is empty (0 bytes). Copy it from the phone again.")
        if status.st_size > MOST_BYTES:
            return _too_large(str(path), f"{status.st_size / 1e6:.0f} MB")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        return PhotoError("not-an-image", f"{path}: cannot be opened ({reason}). Check the name and the permissions.")


def _kind(data: bytes) -> str | None:
    return next((name for at, magic, name in _MAGIC if data[at:at + len(magic)] == magic), None)


def _unidentified(kind: str | None, name: str) -> PhotoError:
    if kind in _READ:
        return PhotoError("truncated", f"{name}: the {kind} file is damaged or incomplete. "
                                       "Copy it from the phone again.")
    if kind is not None:
        return PhotoError("unsupported", f"{name}: {kind} files are not read. {_RESAVE}")
    return PhotoError("not-an-image", f"{name}: not a JPEG, PNG, WebP or TIFF picture. {_RESAVE}")


def _too_large(name: str, size: str) -> PhotoError:
    return PhotoError("too-large", f"{name}: too large ({size}; at most {MOST_PIXELS // 1_000_000} megapixels and "
                                   f"{MOST_BYTES // 1_000_000} MB are read). Save it at half the size and scan that.")


def _refusal(image: Image.Image, name: str) -> PhotoError | None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        return _too_large(name, f"{width} x {height} pixels")
    # A phone's MPO holds further pictures of the same moment (depth, gain map); the first is the photo.
    if image.format != "MPO" and getattr(image, "n_frames", 1) > 1:
        what = "holds several pages" if image.format == "TIFF" else "is animated"
        return PhotoError("unsupported", f"{name}: the file {what}. Save each picture as a file of its own.")
    return None


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(0x0112, 1)
        return int(value)
    except Exception:  # noqa: BLE001 - a damaged EXIF block must not cost the photo
        return 1


def _rgb(image: Image.Image) -> np.ndarray:
    """Pixels as uint8 RGB: 16-bit scaled down, CMYK and palettes converted, transparency laid on white paper."""
    image.load()
    if image.mode in ("I;16", "I;16L", "I;16B", "I", "F"):
        grey = np.asarray(image, dtype=np.float32)
        scale = 255.0 / 65535.0 if grey.max(initial=0) > 255 else 1.0
        grey = np.clip(grey * scale + 0.5, 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, (255, 255, 255, 255))
        image = Image.alpha_composite(paper, image)
    return np.array(image if image.mode == "RGB" else image.convert("RGB"))


def fingerprint(path: Path) -> str:
    """SHA-256 of a file's bytes in hex, "" if it is no regular file or cannot be read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
