"""PDFs and zips for the tests, made byte by byte, so that no library stands between a test and a hostile file."""

from __future__ import annotations

import io
import zipfile

import numpy as np
from PIL import Image


def jpeg(colour: tuple[int, int, int] = (200, 30, 30), size: tuple[int, int] = (40, 24)) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.full((size[1], size[0], 3), colour, np.uint8)).save(stream, "JPEG", quality=95)
    return stream.getvalue()


def pdf(pages: list[bytes], *, encrypt: bytes = b"", shared: bytes = b"") -> bytes:
    """A PDF (version 1.4) whose pages, letter size, have the given content streams; ``shared`` is an object's body."""
    bodies = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = b" ".join(b"%d 0 R" % (4 + 2 * i) for i in range(len(pages)))
    bodies.append(b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids))
    bodies.append(shared or b"<< >>")
    for i, content in enumerate(pages):
        resources = b"/Resources << /XObject << /Im 3 0 R >> >>" if shared else b"/Resources << >>"
        bodies.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] %s /Contents %d 0 R >>"
                      % (resources, 5 + 2 * i))
        bodies.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, body in enumerate(bodies, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, encrypt, start))
    return out.getvalue()


#: Asks for a password that is not the empty one (PDF 1.4, standard security handler, revision 3).
LOCKED = (b"/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard "
          b"/V 2 /R 3 /Length 128 /P -44 /O <" + b"5a" * 32 + b"> /U <" + b"a5" * 32 + b"> >>")


def filled(red: float, green: float, blue: float) -> bytes:
    """A content stream that paints the whole page, then a black square in its upper left corner."""
    return b"%.2f %.2f %.2f rg 0 0 612 792 re f 0 0 0 rg 0 692 100 100 re f" % (red, green, blue)


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return stream.getvalue()
