"""The trained network as an ONNX file: uint8 crops in, letter probabilities out; in half precision or in 8 bits."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from torch import nn

from scanner.workshop.network import CONTRAST_FLOOR, Block, Network, folded


class _Graph:
    """Collects nodes and weights; a weight in half precision is cast once, when the file is loaded."""

    def __init__(self, half: bool) -> None:
        self.half = half
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def node(self, op: str, inputs: list[str], **attributes) -> str:
        name = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name, **attributes))
        return name

    def weight(self, array: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        kind = np.float16 if self.half else np.float32
        self.weights.append(numpy_helper.from_array(np.asarray(array, kind), name))
        return self.node("Cast", [name], to=TensorProto.FLOAT) if self.half else name

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


def export(network: Network, path: Path, alphabet: str, temperature: float = 1.0, height: int = 48,
           calibration: Sequence[np.ndarray] = ()) -> str:
    """Writes ``path`` (ONNX) and ``path.with_suffix('.json')`` (alphabet, checksum); returns the SHA-256.

    Input ``cells``: uint8, shape (N, height, W, 3).  Output ``frames``: float32, shape (N, W / 4, letters),
    probabilities in the order of ``alphabet``.  With ``calibration`` (batches of crops, uint8, (N, height, W, 3)) the
    convolutions compute in 8 bits, their ranges taken from these; without, weights are stored in half precision.
    """
    network.eval()
    graph = _Graph(half=not calibration)
    x = _normalised(graph)
    for layer in network.layers:
        x = graph.layer(x, layer)
    weight, bias = network.head.weight.detach().numpy(), network.head.bias.detach().numpy()
    x = graph.node("Conv", [x, graph.weight(weight / temperature), graph.weight(bias / temperature)])
    x = graph.node("Squeeze", [x, graph.constant(np.array([2], np.int64))])
    x = graph.node("Softmax", [graph.node("Transpose", [x], perm=[0, 2, 1])], axis=2)
    graph.nodes.append(helper.make_node("Identity", [x], ["frames"], "frames"))
    model = _model(graph, height, len(alphabet))
    path.write_bytes(_in_8_bits(model, calibration) if calibration else model.SerializeToString())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    card = {"sha256": digest, "alphabet": alphabet, "temperature": temperature}
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")
    return digest


class _Crops(CalibrationDataReader):
    """Calibration crops, as onnxruntime asks for them."""

    def __init__(self, batches: Sequence[np.ndarray]) -> None:
        self.batches = iter(batches)

    def get_next(self) -> dict[str, np.ndarray] | None:
        """The next batch by input name; None at the end."""
        batch = next(self.batches, None)
        return None if batch is None else {"cells": batch}


def _in_8_bits(model: onnx.ModelProto, calibration: Sequence[np.ndarray]) -> bytes:
    """The model with its convolutions in 8 bits but for the last, whose logits keep their fine steps.

    Weights use 7 of their bits: products of pairs then fit the 16 bits that processors without VNNI add them up in,
    so every machine computes the same.
    """
    last = [node.name for node in model.graph.node if node.op_type == "Conv"][-1]
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "float.onnx", Path(folder) / "int8.onnx"
        onnx.save(onnx.shape_inference.infer_shapes(model), before)
        quantize_static(before, after, _Crops(calibration), per_channel=True, reduce_range=True,
                        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
                        op_types_to_quantize=["Conv", "Add", "Relu"], nodes_to_exclude=[last])
        return after.read_bytes()


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
