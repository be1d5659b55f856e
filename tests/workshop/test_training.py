"""Training's parts that can be wrong without anybody noticing; they need torch and are skipped where it is not."""

from __future__ import annotations

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scanner.reader.network import networks_of, read_frames, to_input  # noqa: E402
from scanner.workshop.cells import PRACTICE, compose  # noqa: E402
from scanner.workshop.export import export  # noqa: E402
from scanner.workshop.glyphs import own_hand  # noqa: E402
from scanner.workshop.hands import Writers  # noqa: E402
from scanner.workshop.held_out import best_temperature, held_out, live_text  # noqa: E402
from scanner.workshop.network import Network, grow  # noqa: E402
from scanner.workshop.pool import ALPHABET, make_shard  # noqa: E402
from scanner.workshop.schedule import Cycle, Plan, rate_at  # noqa: E402
from scanner.workshop.train import blended, train  # noqa: E402

WRITERS = Writers(tuple(own_hand(seed) for seed in range(3)), ())


def _worn_in() -> Network:
    """A network whose normalisations have seen something, as a trained one's have."""
    torch.manual_seed(3)
    network = Network()
    for _ in range(3):
        network(torch.rand(8, 3, 48, 96) * 255)
    return network.eval()


def test_a_grown_network_is_the_same_function() -> None:
    small = _worn_in()
    large = grow(small).eval()
    x = torch.rand(4, 3, 48, 112) * 255
    assert torch.equal(small(x), large(x))
    assert sum(p.numel() for p in large.parameters()) > 1.5 * sum(p.numel() for p in small.parameters())


@pytest.mark.parametrize("eight_bits", [False, True])
def test_the_exported_network_says_what_the_trained_one_does(tmp_path, eight_bits) -> None:
    network = grow(_worn_in()).eval()
    rng = np.random.default_rng(1)
    cells = [to_input(compose(WRITERS, rng, PRACTICE[-1])[0]) for _ in range(40)]
    wide = [c for c in cells if c.shape[1] == cells[0].shape[1]]
    export(network, tmp_path / "cells.onnx", ALPHABET, 0.8, calibration=[np.stack(wide)] if eight_bits else ())
    with networks_of(tmp_path):
        frames = np.stack(read_frames(wide))
    with torch.no_grad():
        x = torch.from_numpy(np.stack(wide).transpose(0, 3, 1, 2).copy()).float()
        wanted = (network(x) / 0.8).softmax(2).numpy()
    assert np.abs(frames - wanted).max() < (0.05 if eight_bits else 0.005)
    assert json.loads((tmp_path / "cells.json").read_text())["temperature"] == 0.8


def test_the_temperature_undoes_a_network_that_is_too_modest() -> None:
    class Modest(torch.nn.Module):
        """Right nine times in ten and told to say so at temperature 0.7: its own logits are 0.7 times too small."""

        def forward(self, x):
            rows = torch.full((1, x.shape[3] // 4, len(ALPHABET)), -20.0)
            rows[:, :, 0] = 0.0
            said = int(x[0, 0, 0, 0])
            rows[0, 0] = -20.0
            rows[0, 0, 1 + said], rows[0, 0, 1 + (said + 1) % 10] = 0.0, float(np.log(0.1 / 0.9))
            return (0.7 * rows).log_softmax(2)

    sample = held_out(WRITERS, (1.0, 0, 0, 0, 0, 0, 0), "calm", 1)
    cells = [np.full((48, 48, 3), i % 10, np.uint8) for i in range(200)]
    places = np.array([(i % 10 + (i % 20 < 2)) % 10 for i in range(200)])
    assert best_temperature(Modest(), type(sample)(cells, places)) == pytest.approx(0.7, abs=0.051)


def test_held_out_cells_come_again_and_leave_struck_digits_out() -> None:
    one, two = (held_out(WRITERS, (0, 1.0, 0, 0, 0, 0, 0), "calm", 5) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one.cells, two.cells, strict=True))
    assert np.array_equal(one.places, two.places)
    assert live_text("abc407") == "407" and live_text("040") == "40" and live_text("X") == "XX"


def test_a_plan_opens_shards_in_order_and_its_rate_ends_near_nothing() -> None:
    plan = Plan()
    opened = [plan.open_shards(step) for step in range(plan.steps)]
    assert opened[0] == plan.first and max(opened) <= plan.shards
    for cycle_end in np.cumsum([c.steps for c in plan.cycles]):
        assert rate_at(plan, int(cycle_end) - 1) < 2e-6
    assert plan.grows_at == sum(c.steps for c in plan.cycles if not c.grown)


def test_the_weights_that_come_out_are_the_mean_of_the_last_cycles_ends(tmp_path) -> None:
    plan = Plan(cycles=(Cycle(1, 1e-3, 1), *[Cycle(1, 1e-3, 1, grown=True)] * 3), first=1, blend=(0.25, 0.75))
    networks = [Network(grown=True) for _ in range(3)]
    for end, network in zip(plan.ends[1:], networks, strict=True):
        torch.save(network.state_dict(), tmp_path / f"end-{end}.pt")
    mean = blended(plan, tmp_path, Network(grown=True))
    _, one, two = (n.head.weight for n in networks)
    assert torch.allclose(mean.head.weight, 0.25 * one + 0.75 * two) and not torch.allclose(one, two)
    single = Plan(cycles=plan.cycles[:2], first=1, blend=(0.25, 0.75))
    assert torch.equal(blended(single, tmp_path, Network(grown=True)).head.weight, networks[0].head.weight)


def test_a_run_interrupted_and_resumed_ends_as_one_that_was_not(tmp_path) -> None:
    class Ready:
        """A pool that is there already."""

        def __init__(self) -> None:
            self.shards = [make_shard(WRITERS, 1, n, 64) for n in range(2)]

        def upto(self, count: int):
            return self.shards[:count]

    class Interrupted(Exception):
        """Somebody pulls the plug."""

    class Failing(Ready):
        """A pool that fails after the checkpoint of the small network."""

        def upto(self, count: int):
            self.calls = getattr(self, "calls", 0) + 1
            if self.calls > 3:
                raise Interrupted
            return super().upto(count)

    torch.set_num_threads(1)
    plan = Plan(cycles=(Cycle(2, 1e-3, 2), Cycle(2, 1e-3, 2, grown=True)), batch=16, first=2)
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    valid = make_shard(WRITERS, 2, 0, 32)
    whole = train(plan, Ready(), valid, tmp_path / "a")
    with pytest.raises(Interrupted):
        train(plan, Failing(), valid, tmp_path / "b")
    resumed = train(plan, Ready(), valid, tmp_path / "b")
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(whole.parameters(), resumed.parameters(), strict=True))
