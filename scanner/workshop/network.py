"""The reader's network: convolutions that turn a cell into a row of letter probabilities, and its way into ONNX.

Architecture (CRNN family without the recurrence: Shi, Bai and Yao 2015, arXiv:1507.05717; residual blocks: He et al.
2015, arXiv:1512.03385; trained with CTC, Graves et al. 2006).  Input 48 px high and a multiple of 16 wide, RGB; stride
4 along the line, the height folded into channels at the end; wide one-dimensional convolutions let a frame see the
whole number, which is what tells a struck digit from a live one.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

CLASSES = 24
#: Guards the contrast normalisation on a blank crop; a deviation of 8 of 255 is paper and noise, not ink.
CONTRAST_FLOOR = 8.0


class Block(nn.Module):
    """Two 3x3 (or 1x5) convolutions around a shortcut."""

    def __init__(self, channels: int, kernel: tuple[int, int], dilation: int = 1) -> None:
        super().__init__()
        self.one = _conv(channels, channels, kernel, dilation=dilation)
        self.two = _conv(channels, channels, kernel, dilation=dilation)

    def forward(self, x: Tensor) -> Tensor:
        """Same shape out as in."""
        return torch.relu(x + self.two(torch.relu(self.one(x))))


#: Where a grown network's new blocks stand among its layers, and their kernel and dilation.
_GROWTH = {6: ((3, 3),), 11: ((1, 5),), 12: ((1, 5), 2)}


class Network(nn.Module):
    """uint8-range RGB (N, 3, H, W) in, H up to ``height``; log-probabilities (N, W / 4, classes) out.

    The last two-dimensional convolution takes in the whole ``height``, so H is more than ``height`` - 16. ``reach`` is
    the last block's kernel along the line: how many frames a frame looks at. A ``grown`` network has one more block of
    two-dimensional and two of one-dimensional convolutions; :func:`grow` makes one of a smaller one.
    """

    def __init__(self, widths: tuple[int, ...] = (24, 32, 64, 112, 176, 192), classes: int = CLASSES, reach: int = 5,
                 drop: float = 0.1, grown: bool = False, height: int = 48) -> None:
        super().__init__()
        a, b, c, d, e, f = widths
        self.layers = nn.ModuleList([
            _conv(3, a, (3, 3), (2, 2)), _conv(a, b, (3, 3)),
            _conv(b, c, (3, 3), (2, 2)), Block(c, (3, 3)),
            _conv(c, d, (3, 3), (2, 1)), Block(d, (3, 3)),
            _conv(d, e, (3, 3), (2, 1)), _conv(e, f, (height // 16, 1), padding=(0, 0)),
            Block(f, (1, 5)), Block(f, (1, reach), dilation=2),
        ])
        if grown:
            for place, block in _GROWTH.items():
                self.layers.insert(place, Block(d if place == 6 else f, *block))
        self.drop = nn.Dropout(drop)
        self.head = nn.Conv2d(f, classes, 1)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        x = normalise(x)
        for layer in self.layers:
            x = layer(x) if isinstance(layer, Block) else torch.relu(layer(x))
        x = self.head(self.drop(x)).float()
        return x.squeeze(2).permute(0, 2, 1).log_softmax(2)


def grow(network: Network) -> Network:
    """The same function in a larger network: the new blocks begin by passing their input on.

    A block whose last normalisation has a scale of zero is the identity (Goyal et al. 2017, arXiv:1706.02677, start
    deep networks so); going on from a smaller network's weights is the idea of Chen, Goodfellow and Shlens 2016.
    """
    larger = Network(grown=True)
    old = iter(network.layers)
    for place, layer in enumerate(larger.layers):
        if place in _GROWTH:
            nn.init.zeros_(layer.two[1].weight)
        else:
            layer.load_state_dict(next(old).state_dict())
    larger.head.load_state_dict(network.head.state_dict())
    return larger


def normalise(x: Tensor) -> Tensor:
    """Each crop about its own mean colour, in units of its own contrast, so that light and exposure do not matter."""
    x = x - x.mean((2, 3), keepdim=True)
    return x / (x.square().mean((1, 2, 3), keepdim=True).sqrt() + CONTRAST_FLOOR)


def _conv(a: int, b: int, kernel: tuple[int, int], stride: tuple[int, int] = (1, 1),
          padding: tuple[int, int] | None = None, dilation: int = 1) -> nn.Sequential:
    pad = tuple((k // 2) * dilation for k in kernel) if padding is None else padding
    dil = (1 if kernel[0] == 1 else dilation, dilation)
    return nn.Sequential(nn.Conv2d(a, b, kernel, stride, pad, dil, bias=False), nn.BatchNorm2d(b))


def folded(layer: nn.Sequential) -> tuple[np.ndarray, np.ndarray, nn.Conv2d]:
    """Weights and bias of a convolution with its batch normalisation folded in."""
    conv, norm = layer[0], layer[1]
    scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach()
    weight = conv.weight.detach() * scale[:, None, None, None]
    bias = norm.bias.detach() - norm.running_mean * scale
    return weight.numpy(), bias.numpy(), conv
