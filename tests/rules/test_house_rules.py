"""House rules: read from TOML, refused with a hint, and each changing exactly what it should."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

import numpy as np
import pytest

from scanner.rules.errors import HouseRuleError
from scanner.rules.house import CHOICES, DEFAULT_RULES, HouseRules, load_house_rules, parse_house_rules
from scanner.rules.renege import CLAUSES, Claim, rule_on
from scanner.rules.score import Game, HandScore
from scanner.rules.simulate import simulate_batch, simulate_hands
from scanner.rules.tournament import Result, standings


def test_every_rule_has_choices_the_default_first_and_a_source():
    assert set(CHOICES) == {f.name for f in fields(HouseRules)}
    for name, choices in CHOICES.items():
        assert getattr(DEFAULT_RULES, name) == next(iter(choices))
        assert len(choices) >= 2 and all(any(s in why for s in ("S0", "S1", "S2")) for why in choices.values())


def test_rules_from_a_file(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('all_pass = "next_dealer"\nfour_tens = false\n')
    assert load_house_rules(path) == HouseRules(all_pass="next_dealer", four_tens=False)
    with pytest.raises(HouseRuleError, match="cannot be read"):
        load_house_rules(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("four_ten = true", "Did you mean 'four_tens'"),
        ('all_pass = "again"', 'give "redeal"'),
        ("four_tens = 1", "give true"),
        ("declare_rank = 0", "give false"),
        ("all_pass", "not a TOML file"),
        ('target = "500"', "no house rule 'target'"),
    ],
)
def test_unknown_rules_and_values_are_refused_with_what_was_expected(text, message):
    with pytest.raises(HouseRuleError, match=message) as refused:
        parse_house_rules(text)
    assert "[rule" not in str(refused.value) and str(refused.value).endswith(".") and refused.value.rule


def both(**change):
    """The same 4096 deals under default rules and with one rule changed, by players who call at random."""
    houses = (DEFAULT_RULES, HouseRules(**change))
    return [simulate_batch(4096, np.random.default_rng(2), "random", rules) for rules in houses]


def test_four_tens_changes_only_hands_that_hold_them():
    usual, without = both(four_tens=False)
    assert (usual.plays == without.plays).all() and (usual.tricks == without.tricks).all()
    tens = np.isin(usual.cards, [1, 7, 13, 19]).sum(2).max(1) == 4
    changed = (usual.melds != without.melds).any(1)
    assert changed.any() and not (changed & ~tens).any()


def test_all_pass_changes_only_who_deals_after_one():
    usual, moving = both(all_pass="next_dealer")
    assert (usual.cards.reshape(4096, -1).sum(1) == moving.cards.reshape(4096, -1).sum(1)).all()
    for batch, stays in ((usual, True), (moving, False)):
        steps = (batch.dealer[1:] - batch.dealer[:-1]) % 4
        passed = ~batch.played[:-1]
        assert passed.any() and (steps[~passed] == 1).all() and (steps[passed] == (0 if stays else 1)).all()


def test_rules_of_the_table_change_no_simulated_hand():
    usual = list(simulate_hands(50, 3))
    for change in ({"shown_by": "best_team"}, {"declare_rank": True}, {"early_bell": False},
                   {"turned_tricks": "until_next_play"}, {"ranking": "points"}, {"tie_at_target": "tie"}):  # fmt: skip
        assert list(simulate_hands(50, 3, rules=HouseRules(**change))) == usual


#: House rules that bear on what is called a renege, and the claims whose ruling they change.
RULINGS = {
    "early_bell": lambda claim: claim.clause == "bell-early",
    "turned_tricks": lambda claim: claim.clause == "looked" and not claim.side_has_played,
}


@pytest.mark.parametrize("name", CHOICES)
def test_each_house_rule_changes_just_its_own_rulings(name):
    """Every clause at every moment, called in time, proven or not: the ruling differs where the rule says, no more."""
    claims = [
        Claim(clause, 0, 1, trick, cards, side_has_played=played, reviewed=reviewed, proven=proven)
        for clause in CLAUSES
        for trick in range(7)
        for cards in (0, 3)
        for played, reviewed, proven in product((False, True), repeat=3)
    ]
    (other,) = [choice for choice in CHOICES[name] if choice != getattr(DEFAULT_RULES, name)]
    changed = {c for c in claims if rule_on(c, HouseRules(**{name: other})).offender != rule_on(c).offender}
    its_own = {c for c in claims if RULINGS.get(name, lambda claim: False)(c)}
    # A claim that comes to nothing anyway comes to nothing under either rule.
    assert changed == {c for c in its_own if rule_on(c).offender is not None}
    assert bool(changed) == (name in RULINGS)


def test_tie_at_target_changes_only_equal_totals():
    tied, ahead = (HandScore(250, 250),) * 2, (HandScore(260, 250),) * 2
    for rules in (DEFAULT_RULES, HouseRules(tie_at_target="tie")):
        assert Game(ahead, rules).over and Game(ahead, rules).winner == "we"
        assert Game(tied, rules).winner is None
        assert Game(tied, rules).over is (rules.tie_at_target == "tie")


def test_ranking_changes_only_the_order_of_teams():
    results = [Result("A", "B", 500, 490), Result("A", "C", 510, 505), Result("B", "C", 450, 520)]
    by_games, by_points = standings(results), standings(results, HouseRules(ranking="points"))
    assert [s.team for s in by_games] == ["A", "C", "B"] and [s.team for s in by_points] == ["C", "A", "B"]
    lines = [{(s.team, s.games, s.won, s.points) for s in table} for table in (by_games, by_points)]
    assert lines[0] == lines[1]
