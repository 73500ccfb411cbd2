"""Means over tests and errors clustered by test, attempt by attempt, in exact fractions until the last square root."""

import json
import random
from decimal import Decimal, getcontext
from fractions import Fraction
from math import comb

getcontext().prec = 50


def root(fraction):
    return float((Decimal(fraction.numerator) / Decimal(fraction.denominator)).sqrt())


def mean_over_tests(values):
    if not values:
        return None
    mean = sum(values, Fraction(0)) / len(values)
    result = {"value": float(mean), "tests": len(values)}
    if len(values) > 1:
        between = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
        result["standard_error"] = root(between / len(values))
    return result


def clustered_error(tests):
    """The sandwich over clusters: the products of all pairs of residuals of one test, with T / (T - 1)."""
    tests = [attempts for attempts in tests if attempts]
    if len(tests) < 2:
        return None
    attempts = [attempt for test in tests for attempt in test]
    rate = Fraction(sum(attempts), len(attempts))
    pairs = sum((a - rate) * (b - rate) for test in tests for a in test for b in test)
    return root(Fraction(len(tests), len(tests) - 1) * pairs) / len(attempts)


def describe(name, tests):
    def hat(test, k):
        return Fraction(comb(sum(test), k), comb(len(test), k))

    def at(test, k):
        return 1 - Fraction(comb(len(test) - sum(test), k), comb(len(test), k))

    ks = range(1, max((len(test) for test in tests), default=0) + 1)
    return {
        "name": name,
        "tests": tests,
        "clustered_error": clustered_error(tests),
        "pass_at_k": [mean_over_tests([at(test, k) for test in tests if len(test) >= k]) for k in ks],
        "pass_hat_k": [mean_over_tests([hat(test, k) for test in tests if len(test) >= k]) for k in ks],
    }


def sample(seed, sizes):
    """Tests of different difficulty: their rates are spread, as those of a benchmark are."""
    chance = random.Random(seed)
    tests = []
    for size in sizes:
        rate = chance.betavariate(0.8, 0.6)
        tests.append([int(chance.random() < rate) for _ in range(size)])
    return tests


def main():
    cases = [
        describe("50 tests of 4 attempts", sample(1, [4] * 50)),
        describe("164 tests of 1 attempt", sample(2, [1] * 164)),
        describe("unequal repeats", sample(3, [1, 2, 3, 10, 4, 4, 7, 1, 1, 12])),
        describe("some tests were never measured", sample(4, [4, 0, 3, 4, 0, 4])),
        describe("every attempt passes", [[1, 1, 1]] * 6),
        describe("one test", sample(5, [10])),
        describe("no test", []),
    ]
    print(json.dumps(cases, indent=1))


main()
