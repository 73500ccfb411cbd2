"""The truncated sequential test of a gate, from its definition, in exact arithmetic.

Boundaries: paths are counted as whole numbers, and a number of misses crosses at the first attempt at which the chance of all
crossings so far, at the edge of the gate, is at most `error * (attempt / cap) ** exponent`. The exponent is 1, or one of
1.5, 2 and 3 if it lets more than 10 % more numbers of misses cross. Then the exact probability of
every decision, and the saving against a fixed number of attempts for two mixes of tests: rates that are uniform in intervals,
integrated as polynomials.
"""

import json
from fractions import Fraction
from functools import lru_cache
from math import comb


def crossing_times(rate, cap, error):
    best = [], Fraction(0)
    for halves in (2, 3, 4, 6):
        found = spending(rate, cap, error, halves)
        if 100 * len(found[0]) > 110 * len(best[0]):
            best = found
    return best


def spending(rate, cap, error, halves):
    """times[misses]: the first attempt at which so many misses cross, going by all paths that have not crossed before."""
    times, spent, paths = [], Fraction(0), {0: 1}
    for attempt in range(1, cap + 1):
        paths = {
            misses: paths.get(misses, 0) + paths.get(misses - 1, 0) for misses in range(len(times), attempt + 1)
        }
        while paths:
            misses = len(times)
            chance = paths[misses] * rate ** (attempt - misses) * (1 - rate) ** misses
            # Squared on both sides, so that half powers stay exact.
            if (spent + chance) ** 2 > error**2 * Fraction(attempt, cap) ** halves:
                break
            spent += chance
            times.append(attempt)
            del paths[misses]
    return times, spent


@lru_cache
def endings(share, confidence, cap):
    """How many paths end after so many passes and failures, and with what: {(passed, failed, outcome): paths}."""
    hold, _ = crossing_times(share, cap, 1 - confidence)
    broken, _ = crossing_times(1 - share, cap, 1 - confidence)
    ended, reached = {}, {(0, 0): 1}
    for made in range(1, cap + 1):
        after = {}
        for (passed, failed), paths in reached.items():
            for state in [(passed + 1, failed), (passed, failed + 1)]:
                after[state] = after.get(state, 0) + paths
        reached = {}
        for (passed, failed), paths in after.items():
            if passed < len(broken) and broken[passed] <= made:
                ended[passed, failed, "broken"] = paths
            elif failed < len(hold) and hold[failed] <= made:
                ended[passed, failed, "held"] = paths
            elif made == cap or (passed >= len(broken) and failed >= len(hold)):
                ended[passed, failed, "undecided"] = paths
            else:
                reached[passed, failed] = paths
    return ended


def decision_chances(share, confidence, truth, cap):
    """The exact probability of each outcome, and the mean number of attempts."""
    chances = {"held": Fraction(0), "broken": Fraction(0), "undecided": Fraction(0), "attempts": Fraction(0)}
    for (passed, failed, outcome), paths in endings(share, confidence, cap).items():
        chance = paths * truth**passed * (1 - truth) ** failed
        chances[outcome] += chance
        chances["attempts"] += chance * (passed + failed)
    return {name: float(chance) for name, chance in chances.items()}


@lru_cache(maxsize=None)
def integral(passed, failed, low, high):
    """Of q^passed (1 - q)^failed from low to high, term by term."""
    total = Fraction(0)
    for j in range(failed + 1):
        power = passed + j + 1
        total += Fraction((-1) ** j * comb(failed, j), power) * (high**power - low**power)
    return total


def sides(mix, share):
    """The parts of a mix, cut at the gate: (density, low, high, what is right)."""
    for weight, low, high in mix:
        density = weight / (high - low)
        if low < share:
            yield density, low, min(high, share), "broken"
        if high > share:
            yield density, max(low, share), high, "held"


def sequential_saving(mix, share, confidence, cap):
    right, wrong, attempts = Fraction(0), Fraction(0), Fraction(0)
    for density, low, high, wanted in sides(mix, share):
        for (passed, failed, outcome), paths in endings(share, confidence, cap).items():
            chance = density * paths * integral(passed, failed, low, high)
            attempts += chance * (passed + failed)
            if outcome == wanted:
                right += chance
            elif outcome != "undecided":
                wrong += chance
    fixed = 1
    while fixed_right(fixed, mix, share, 1 - confidence) < right:
        fixed += 1
    return {
        "right": float(right),
        "wrong": float(wrong),
        "attempts": float(attempts),
        "fixed": fixed,
        "fixed_right": float(fixed_right(fixed, mix, share, 1 - confidence)),
        "saving": float(1 - attempts / fixed),
    }


@lru_cache(maxsize=None)
def fixed_right(attempts, mix, share, error):
    """What share of the tests two one-sided exact tests of this many attempts decide rightly."""
    chance = [comb(attempts, c) * share**c * (1 - share) ** (attempts - c) for c in range(attempts + 1)]
    hold = next((c for c in range(attempts + 2) if sum(chance[c:]) <= error))
    broken = max((c for c in range(-1, attempts + 1) if sum(chance[: c + 1]) <= error))
    right = Fraction(0)
    for density, low, high, wanted in sides(mix, share):
        for passed in range(hold, attempts + 1) if wanted == "held" else range(broken + 1):
            right += density * comb(attempts, passed) * integral(passed, attempts - passed, low, high)
    return right


def uniform(*parts):
    return tuple(tuple(Fraction(number) for number in part) for part in parts)


MIXES = {
    "agent-like": uniform(("0.55", "0.9", "1"), ("0.3", "0.5", "1"), ("0.15", "0.2", "0.7")),
    "bimodal": uniform(("0.7", "0.97", "1"), ("0.2", "0", "0.1"), ("0.1", "0", "1")),
}
RULES = [
    ("4/5", "19/20", 50), ("1/2", "19/20", 30), ("9/10", "9/10", 40), ("4/5", "4/5", 1), ("4/5", "19/20", 5), ("1", "19/20", 12),
    ("2/3", "99/100", 60), ("19/20", "19/20", 59), ("1/2", "1/2", 9), ("1/100", "19/20", 20), ("4/5", "19/20", 120),
]  # fmt: skip


def main():
    boundaries, chances, savings = [], [], []
    for share, confidence, cap in [(Fraction(s), Fraction(c), cap) for s, c, cap in RULES]:
        rule = {"share": float(share), "confidence": float(confidence), "cap": cap}
        hold, held_spent = crossing_times(share, cap, 1 - confidence)
        broken, broken_spent = crossing_times(1 - share, cap, 1 - confidence)
        spent = {"hold_spent": float(held_spent), "break_spent": float(broken_spent)}
        boundaries.append({**rule, "hold_at": hold, "break_at": broken, **spent})
    for share, confidence, cap in [("4/5", "19/20", 50), ("1/2", "19/20", 30), ("9/10", "9/10", 40)]:
        p, level = Fraction(share), Fraction(confidence)
        for truth in [p, p - Fraction(1, 10), Fraction(1, 5), Fraction(19, 20), Fraction(1)]:
            case = {"share": float(p), "confidence": float(level), "cap": cap, "truth": float(truth)}
            chances.append({**case, **decision_chances(p, level, truth, cap)})
    for name, mix in MIXES.items():
        savings.append({"mix": name, **sequential_saving(mix, Fraction(4, 5), Fraction(19, 20), 50)})
    print(json.dumps({"boundaries": boundaries, "chances": chances, "savings": savings}, indent=1))


main()
