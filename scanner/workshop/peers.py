"""Ready-made engines to compare with: PP-OCRv6-small masked to digits, and Tesseract with a digit whitelist."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np

#: The recogniser's own input height.
_HEIGHT = 48


@cache
def _paddle():
    """The recogniser of the rapidocr wheel, and the places of blank and the ten digits in its alphabet."""
    import onnxruntime
    import rapidocr

    path = Path(rapidocr.__file__).parent / "models" / "PP-OCRv6_rec_small.onnx"
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    letters = session.get_modelmeta().custom_metadata_map["character"].splitlines()
    return session, [0] + [letters.index(d) + 1 for d in "0123456789"]


def paddle_digits(images: Sequence[np.ndarray]) -> list[str]:
    """Best path of the recogniser with everything but digits and blank masked out, leading zeros dropped."""
    session, places = _paddle()
    texts = []
    for image in images:
        height, width = image.shape[:2]
        across = max(16, round(_HEIGHT * width / height))
        scaled = cv2.resize(image, (across, _HEIGHT), interpolation=cv2.INTER_AREA)[..., ::-1]
        batch = ((scaled.astype(np.float32) / 255 - 0.5) / 0.5).transpose(2, 0, 1)[None]
        batch = np.pad(batch, ((0, 0), (0, 0), (0, 0), (0, max(0, 320 - across))))
        frames = session.run(None, {session.get_inputs()[0].name: batch})[0][0][:, places]
        path = frames.argmax(1)
        text = "".join(str(v - 1) for i, v in enumerate(path) if v and (i == 0 or v != path[i - 1]))
        texts.append(str(int(text)) if text else "")
    return texts


def tesseract_digits(images: Sequence[np.ndarray]) -> list[str]:
    """Tesseract, one line, whitelist of digits."""
    import pytesseract

    from scanner.reader.printed import find_tesseract

    pytesseract.pytesseract.tesseract_cmd = str(find_tesseract())
    options = "--psm 7 -c tessedit_char_whitelist=0123456789"
    texts = [pytesseract.image_to_string(image, config=options).strip().replace(" ", "") for image in images]
    return [str(int(t)) if t.isdigit() else t for t in texts]


ENGINES = {"PP-OCRv6-small masked": paddle_digits, "Tesseract digits": tesseract_digits}
