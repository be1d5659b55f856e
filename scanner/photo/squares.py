"""The square code (QR, ISO/IEC 18004) of a pad, flattened: read as it is, sharpened, and module by module."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from scanner.sheet import plan
from scanner.sheet.plan import Fixture

#: Modules along the side of codes that hold what a pad's code says: versions 2 to 8.
_SIDES = range(25, 50, 4)
#: Pixels of a module where it is looked at by itself, and of its middle half.
_MODULE, _MIDDLE = 8, slice(2, 6)


def read_square(grey: np.ndarray) -> Fixture | None:
    """The fixture in a code, uint8 grey with white around it; None if there is none or none that can be read."""
    detector = cv2.QRCodeDetector()
    for picture in _views(grey, detector):
        try:
            text, *_ = detector.detectAndDecode(picture)
        except (cv2.error, UnicodeDecodeError):  # what is no code, or damaged, or not text
            continue
        read = plan.read_code(text)
        if read is not None:
            return read[1]
    return None


def _views(grey: np.ndarray, detector: cv2.QRCodeDetector) -> Iterator[np.ndarray]:
    yield grey
    # A blurred code is sharpened by about a module, which is the blur that still leaves it readable.
    sharp = cv2.addWeighted(grey, 2.5, cv2.GaussianBlur(grey, (0, 0), len(grey) / 50), -1.5, 0)
    yield sharp
    for picture in (sharp, grey):
        try:
            seen, corners = detector.detect(picture)
        except cv2.error:
            continue
        if seen:
            for side in _SIDES:
                yield _modules(picture, corners.reshape(4, 2), side)


def _modules(grey: np.ndarray, corners: np.ndarray, side: int) -> np.ndarray:
    """The code drawn anew: each of ``side`` x ``side`` modules black or white by its middle, against its neighbours."""
    size = side * _MODULE
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    turned = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    flat = cv2.warpPerspective(grey, turned, (size, size), flags=cv2.INTER_CUBIC).reshape(side, _MODULE, side, _MODULE)
    light = flat[:, _MIDDLE, :, _MIDDLE].mean(axis=(1, 3)).astype(np.float32)
    around = np.ones((7, 7), np.uint8)  # as wide as a finder pattern, so that there is black and white in it
    middle = (cv2.dilate(light, around) + cv2.erode(light, around)) / 2
    drawn = np.full((side + 8, side + 8), 255, np.uint8)
    drawn[4:-4, 4:-4] = np.where(light > middle, 255, 0)
    return np.kron(drawn, np.ones((6, 6), np.uint8))
