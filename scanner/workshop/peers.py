"""Ready-made engines to compare with: PP-OCRv6-small masked to digits, and Tesseract with a digit whitelist."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scanner.photo.printed import find_tesseract
from scanner.reader.lattice import text_log_probs
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import NUMBERS, VOCABULARY

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
    texts = []
    for frames in _paddle_frames(images):
        path = frames.argmax(1)
        text = "".join(str(v - 1) for i, v in enumerate(path) if v and (i == 0 or v != path[i - 1]))
        texts.append(str(int(text)) if text else "")
    return texts


def second_opinion(images: Sequence[np.ndarray], readings: Sequence[CellReading]) -> list[str]:
    """Best texts once doubtful numbers are read by the recogniser too: log-probabilities mixed 0.7 to 0.3.

    The mixture only shares out among the numbers what the reading gives to numbers at all, since the recogniser knows
    no marks. Shares and the bound of 0.95 are those the question was asked with, not fitted.
    """
    texts = [r.text for r in readings]
    doubtful = [i for i, r in enumerate(readings) if r.confidence < 0.95]
    for i, frames in zip(doubtful, _paddle_frames([images[i] for i in doubtful]), strict=True):
        letters = np.zeros((len(frames), 24))
        letters[:, :11] = frames / frames.sum(1, keepdims=True)
        ours, theirs = readings[i].log_probs, text_log_probs([letters])[0]
        numbers = (0.7 * ours + 0.3 * theirs)[:NUMBERS]
        share = np.exp(ours[:NUMBERS]).sum() * np.exp(numbers - np.logaddexp.reduce(numbers))
        texts[i] = VOCABULARY[int(np.concatenate([share, np.exp(ours[NUMBERS:])]).argmax())]
    return texts


def _paddle_frames(images: Sequence[np.ndarray]) -> Iterator[np.ndarray]:
    """The recogniser's probabilities of blank and the ten digits, shape (T, 11), image by image."""
    session, places = _paddle()
    for image in images:
        height, width = image.shape[:2]
        across = max(16, round(_HEIGHT * width / height))
        scaled = cv2.resize(image, (across, _HEIGHT), interpolation=cv2.INTER_AREA)[..., ::-1]
        batch = ((scaled.astype(np.float32) / 255 - 0.5) / 0.5).transpose(2, 0, 1)[None]
        batch = np.pad(batch, ((0, 0), (0, 0), (0, 0), (0, max(0, 320 - across))))
        yield session.run(None, {session.get_inputs()[0].name: batch})[0][0][:, places]


def tesseract_digits(images: Sequence[np.ndarray]) -> list[str]:
    """Tesseract, one line a picture, digits only; all pictures in one run of the program through a list of files."""
    command = find_tesseract()
    if command is None:
        raise SystemExit("Tesseract is not installed; leave --peers out or install the program's own dependencies.")
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / f"{i}.png" for i in range(len(images))]
        for name, image in zip(names, images, strict=True):
            Image.fromarray(image).resize((image.shape[1] * 2, image.shape[0] * 2)).save(name)
        (Path(folder) / "list.txt").write_text("\n".join(map(str, names)))
        options = ["--psm", "7", "-c", "tessedit_char_whitelist=0123456789", "-c", "page_separator=\f"]
        done = subprocess.run([*command, f"{folder}/list.txt", "stdout", *options], capture_output=True, text=True,
                              check=True, timeout=3600)
    texts = ["".join(page.split()) for page in done.stdout.split("\f")[:len(images)]]
    return [str(int(t)) if t.isdigit() else t for t in texts]


ENGINES = {"PP-OCRv6-small masked": paddle_digits, "Tesseract digits": tesseract_digits}
