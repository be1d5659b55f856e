"""What a file is, told by its first bytes, and what it is good for in a folder of photos."""

from __future__ import annotations

from pathlib import PurePosixPath

#: Bytes of a file's beginning that :func:`kind_of` looks at.
HEAD = 64

# First bytes of files people do send (offset, bytes, name of the kind).
_MAGIC = (
    (0, b"\xff\xd8\xff", "JPEG"), (0, b"\x89PNG\r\n", "PNG"), (8, b"WEBP", "WebP"), (0, b"II*\0", "TIFF"),
    (0, b"MM\0*", "TIFF"), (0, b"II+\0", "BigTIFF"), (0, b"GIF8", "GIF"), (0, b"BM", "BMP"), (0, b"%PDF", "PDF"),
    (0, b"PK\x03\x04", "zip"), (0, b"PK\x05\x06", "zip"), (0, b"Rar!", "rar"), (0, b"7z\xbc\xaf", "7z"),
)
# Brands of the ISO media container (ISO/IEC 14496-12, box ftyp) by what a phone means with them.
_BRANDS = {b"heic": "HEIC", b"heix": "HEIC", b"heim": "HEIC", b"heis": "HEIC", b"hevc": "HEIC", b"hevx": "HEIC",
           b"avif": "AVIF", b"avis": "AVIF", b"mif1": "HEIC", b"msf1": "HEIC"}

#: Kinds that hold a picture.
PICTURES = ("JPEG", "PNG", "WebP", "TIFF", "GIF", "BMP", "AVIF", "HEIC")
#: Suffixes of what people take for a photo: such a file is never passed over, even when its bytes say nothing.
PHOTO_SUFFIXES = frozenset(
    ".jpg .jpeg .jpe .jfif .png .webp .tif .tiff .heic .heif .hif .avif .gif .bmp .pdf .zip .livp".split()
)
#: A zip that is a folder of photos has one of these; spreadsheets and letters are zips too.
_ZIP_SUFFIXES = frozenset({".zip", ".livp", ""})
#: What lies beside photos and is none, and nobody would look for it in the result.
_DATA_SUFFIXES = frozenset(".json .toml .txt .md .csv .db .xlsx .html .log .xmp .ini .py".split())
_SYSTEM = frozenset({"thumbs.db", "desktop.ini", "__macosx"})

#: Sorts (see :func:`sort_of`) that are photos or hold some.
TAKEN = frozenset({"photo", "pages", "zip"})


def kind_of(head: bytes) -> str | None:
    """The kind of a file from its first :data:`HEAD` bytes, None for one that is no picture, PDF, zip or video.

    >>> kind_of(b"%PDF-1.7")
    'PDF'
    """
    if head[4:8] == b"ftyp":
        return _media(head)
    return next((name for at, magic, name in _MAGIC if head[at:at + len(magic)] == magic), None)


def _media(head: bytes) -> str:
    """HEIC, AVIF or video: the first brand that says more than "some picture" counts, then the major one."""
    size = min(int.from_bytes(head[:4], "big"), len(head))
    brands = [head[8:12], *(head[at:at + 4] for at in range(16, size - 3, 4))]
    exact = (_BRANDS[b] for b in brands if b in _BRANDS and b not in (b"mif1", b"msf1"))
    return next(exact, None) or _BRANDS.get(brands[0], "video")


def sort_of(name: str, head: bytes) -> str:
    """What to do with a file found in a folder or zip.

    Returns:
        ``photo``, ``pages`` (a PDF, or a TIFF that may have several), ``zip``; or what is passed over: ``video``,
        ``edit`` (the note an iPhone puts beside an edited photo), ``hidden``, ``data`` or ``other``.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    if any(part.lower() in _SYSTEM or part.startswith(".") for part in path.parts if part not in (".", "..")):
        return "hidden"
    suffix, kind = path.suffix.lower(), kind_of(head)
    if suffix == ".aae":
        return "edit"
    if kind in ("PDF", "TIFF"):
        return "pages"
    if kind == "zip":
        return "zip" if suffix in _ZIP_SUFFIXES else "data" if suffix in _DATA_SUFFIXES else "other"
    if kind in PICTURES and not (kind == "BMP" and suffix not in PHOTO_SUFFIXES):  # "BM" begins many a plain text
        return "photo"
    if suffix in PHOTO_SUFFIXES:
        return "photo"
    return "video" if kind == "video" else "data" if suffix in _DATA_SUFFIXES else "other"
