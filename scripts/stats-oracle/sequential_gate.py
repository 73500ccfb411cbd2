"""The sequential test of a gate by its definition: likelihood ratios integrated over the rates of each side, exactly.

Also the probability of every decision, by following all outcomes of up to `cap` attempts.
"""

import json
from fractions import Fraction
from math import comb


def integral(passed, failed, low, high):
    """Of q^passed (1 - q)^failed from low to high, term by term."""
    total = Fraction(0)
    for j in range(failed + 1):
        power = passed + j + 1
        total += Fraction((-1) ** j * comb(failed, j), power) * (high**power - low**power)
    return total


def evidence(passed, failed, p):
    at_edge = p**passed * (1 - p) ** failed
    above = integral(passed, failed, p, Fraction(1)) / (1 - p) / at_edge
    below = integral(passed, failed, Fraction(0), p) / p / at_edge
    return above, below


def decision(passed, failed, p, needed):
    above, below = evidence(passed, failed, p)
    if below >= needed:
        return "broken"
    return "held" if above >= needed else "undecided"


def decision_chances(p, confidence, truth, cap):
    """The exact probability that the gate is held, broken, or undecided at the cap, and the mean number of attempts."""
    needed = 1 / (1 - confidence)
    reached = {(0, 0): Fraction(1)}
    chances = {"held": Fraction(0), "broken": Fraction(0), "undecided": Fraction(0)}
    attempts = Fraction(0)
    for made in range(1, cap + 1):
        after = {}
        for (passed, failed), chance in reached.items():
            attempts += chance
            for step, weight in [((passed + 1, failed), truth), ((passed, failed + 1), 1 - truth)]:
                after[step] = after.get(step, 0) + chance * weight
        reached = {}
        for (passed, failed), chance in after.items():
            outcome = decision(passed, failed, p, needed)
            if outcome == "undecided" and made < cap:
                reached[passed, failed] = chance
            else:
                chances[outcome] += chance
    return {**{name: float(chance) for name, chance in chances.items()}, "attempts": float(attempts)}


def main():
    evidences = []
    for share in ["1/2", "4/5", "9/10"]:
        p = Fraction(share)
        for measured in [0, 1, 2, 3, 5, 10, 20, 43]:
            for passed in sorted({0, measured // 2, (4 * measured) // 5, measured}):
                above, below = evidence(passed, measured - passed, p)
                evidences.append(
                    {"share": float(p), "passed": passed, "measured": measured, "above": float(above), "below": float(below)}
                )
    chances = []
    for share, confidence, cap in [("4/5", "19/20", 50), ("1/2", "19/20", 30), ("9/10", "9/10", 40)]:
        p = Fraction(share)
        for truth in [p, p - Fraction(1, 10), Fraction(1, 5), Fraction(19, 20), Fraction(1)]:
            case = {"share": float(p), "confidence": float(Fraction(confidence)), "cap": cap, "truth": float(truth)}
            chances.append({**case, **decision_chances(p, Fraction(confidence), truth, cap)})
    print(json.dumps({"evidence": evidences, "chances": chances}, indent=1))


main()
