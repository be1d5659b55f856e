"""The trained network as an ONNX file: uint8 crops in, letter probabilities out, weights in half precision."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from scanner.workshop.network import CONTRAST_FLOOR, Block, Network, folded


class _Graph:
    """Collects nodes and weights; every weight is stored as float16 and cast once when the file is loaded."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def node(self, op: str, inputs: list[str], **attributes) -> str:
        name = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def weight(self, array: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array, np.float16), name))
        return self.node("Cast", [name], to=TensorProto.FLOAT)

    def constant(self, array: np.ndarray) -> str:
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def conv(self, x: str, layer: nn.Sequential) -> str:
        weight, bias, conv = folded(layer)
        pads = [conv.padding[0], conv.padding[1]] * 2
        return self.node("Conv", [x, self.weight(weight), self.weight(bias)], strides=list(conv.stride), pads=pads,
                         dilations=list(conv.dilation))

    def layer(self, x: str, layer: nn.Module) -> str:
        if not isinstance(layer, Block):
            return self.node("Relu", [self.conv(x, layer)])
        inner = self.node("Relu", [self.conv(x, layer.one)])
        return self.node("Relu", [self.node("Add", [x, self.conv(inner, layer.two)])])


def export(network: Network, path: Path, alphabet: str, temperature: float = 1.0, height: int = 48) -> str:
    """Writes ``path`` (ONNX) and ``path.with_suffix('.json')`` (alphabet, checksum); returns the SHA-256.

    Input ``cells``: uint8, shape (N, height, W, 3).  Output ``frames``: float32, shape (N, W / 4, letters),
    probabilities in the order of ``alphabet``.
    """
    network.eval()
    graph = _Graph()
    x = _normalised(graph)
    for layer in network.layers:
        x = graph.layer(x, layer)
    weight, bias = network.head.weight.detach().numpy(), network.head.bias.detach().numpy()
    x = graph.node("Conv", [x, graph.weight(weight / temperature), graph.weight(bias / temperature)])
    x = graph.node("Squeeze", [x, graph.constant(np.array([2], np.int64))])
    x = graph.node("Softmax", [graph.node("Transpose", [x], perm=[0, 2, 1])], axis=2)
    graph.nodes.append(helper.make_node("Identity", [x], ["frames"]))
    model = _model(graph, height, len(alphabet))
    path.write_bytes(model.SerializeToString())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    card = {"sha256": digest, "alphabet": alphabet, "temperature": temperature}
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")
    return digest


def _normalised(graph: _Graph) -> str:
    x = graph.node("Transpose", [graph.node("Cast", ["cells"], to=TensorProto.FLOAT)], perm=[0, 3, 1, 2])
    x = graph.node("Sub", [x, graph.node("ReduceMean", [x], axes=[2, 3], keepdims=1)])
    spread = graph.node("Sqrt", [graph.node("ReduceMean", [graph.node("Mul", [x, x])], axes=[1, 2, 3], keepdims=1)])
    floor = graph.constant(np.array(CONTRAST_FLOOR, np.float32))
    return graph.node("Div", [x, graph.node("Add", [spread, floor])])


def _model(graph: _Graph, height: int, letters: int) -> onnx.ModelProto:
    cells = helper.make_tensor_value_info("cells", TensorProto.UINT8, ["n", height, "w", 3])
    frames = helper.make_tensor_value_info("frames", TensorProto.FLOAT, ["n", "t", letters])
    body = helper.make_graph(graph.nodes, "cell-reader", [cells], [frames], graph.weights)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    return model
