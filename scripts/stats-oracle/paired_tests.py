"""Computes the numbers of src/base/stats that compare two runs, from their definitions and by other means than src/base/stats does.

    python3 scripts/stats-oracle/paired_tests.py > test/fixtures/stats/paired-tests.json

Python's standard library only. Tests and corrections are exact (integers and fractions), intervals are solved in 50
digits, quantiles of Student's t come from integrating its density. Only the last step rounds to a float.
"""

import json
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, comb, cos, exp, lgamma, log, pi, sqrt, tan
from statistics import NormalDist, median, quantiles

getcontext().prec = 50


def mcnemar(better, worse):
    """Both tails of a fair coin, counted."""
    total = better + worse
    ways, tail = 1, 0
    for count in range(min(better, worse) + 1):
        tail += ways
        ways = ways * (total - count) // (count + 1)
    return min(Fraction(1), Fraction(2 * tail, 2**total))


def split(before, after):
    """By number of passes after: in how many ways the passes of a test may fall on its attempts of both runs."""
    (passed_before, made_before), (passed_after, made_after) = before, after
    passed = passed_before + passed_after
    ways = {count: comb(made_after, count) * comb(made_before, passed - count) for count in range(passed + 1)}
    return {count: number for count, number in ways.items() if number > 0}


def stratified(tests):
    """Both tails of the passes after, over every combination of the tests' ways, counted one by one."""
    sums = {0: 1}
    for before, after in tests:
        added = {}
        for total, number in sums.items():
            for count, ways in split(before, after).items():
                added[total + count] = added.get(total + count, 0) + number * ways
        sums = added
    observed = sum(after[0] for _, after in tests)
    below = sum(number for total, number in sums.items() if total <= observed)
    above = sum(number for total, number in sums.items() if total >= observed)
    return min(Fraction(1), Fraction(2 * min(below, above), sum(sums.values())))


def tail(test, count, drops):
    """How likely so few passes after, or so many, are."""
    ways = split(*test)
    inside = sum(number for other, number in ways.items() if (other <= count if drops else other >= count))
    return Fraction(inside, sum(ways.values()))


def family(tests):
    """Corrected p-values from the definition: of every set of tests that holds a test, the least likely one decides."""
    corrected = []
    for test in tests:
        (passed_before, made_before), (passed_after, made_after) = test
        change = Fraction(passed_after, made_after) - Fraction(passed_before, made_before)
        if change == 0:
            corrected.append(Fraction(1))
            continue
        drops = change < 0
        own = [tail(other, other[1][0], drops) for other in tests]
        worst = Fraction(0)
        for chosen in subsets(len(tests)):
            if tests.index(test) not in chosen:
                continue
            smallest = min(own[index] for index in chosen)
            worst = max(worst, sum(reach(tests[index], smallest, drops) for index in chosen))
        corrected.append(min(Fraction(1), 2 * worst))
    return corrected


def subsets(size):
    return [[index for index in range(size) if number >> index & 1] for number in range(1, 2**size)]


def reach(test, limit, drops):
    """The chance of a test to come to a p of at most the limit."""
    tails = [tail(test, count, drops) for count in split(*test)]
    return max([value for value in tails if value <= limit], default=Fraction(0))


def tango(better, worse, pairs):
    """Solves the score equation; the constrained likelihood is maximised numerically, not by its closed form."""
    limit = Decimal(NormalDist().inv_cdf(0.975))
    value = Decimal(better - worse) / pairs

    def worse_share(difference):
        low, high = max(Decimal(0), -difference), (1 - difference) / 2
        for _ in range(120):
            middle = (low + high) / 2
            slope = Decimal(0)
            if better:
                slope += better / (middle + difference) if middle + difference else Decimal("Infinity")
            if worse:
                slope += worse / middle if middle else Decimal("Infinity")
            rest = 1 - 2 * middle - difference
            if pairs - better - worse:
                slope -= 2 * (pairs - better - worse) / rest if rest else Decimal("Infinity")
            if slope > 0:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def distance(difference):
        variance = pairs * (2 * worse_share(difference) + difference * (1 - difference))
        gap = better - worse - pairs * difference
        return gap / variance.sqrt() if variance > 0 else gap * Decimal("1e30")

    def solve(low, high, wanted):
        for _ in range(100):
            middle = (low + high) / 2
            if distance(middle) > wanted:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    low = Decimal(-1) if worse == pairs else solve(Decimal(-1), value, limit)
    high = Decimal(1) if better == pairs else solve(value, Decimal(1), -limit)
    return [float(value), float(low), float(high)]


def student(probability, degrees):
    """The quantile of |t|: its density integrated by Simpson's rule, in the angle, where it has no tail."""
    scale = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(pi)

    def density(angle):
        return scale * cos(angle) ** (degrees - 1)

    def within(angle, parts=2000):
        width = angle / parts
        inner = sum((4 if index % 2 else 2) * density(index * width) for index in range(1, parts))
        return 2 * (density(0) + inner + density(angle)) * width / 3

    low, high = 0.0, pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if within(middle) < probability:
            low = middle
        else:
            high = middle
    return sqrt(degrees) * tan((low + high) / 2)


def clustered(clusters):
    """Mean, and Student's t times the standard error between clusters; the sums are exact."""
    differences = [[Fraction(text) for text in cluster] for cluster in clusters]
    count = sum(len(cluster) for cluster in differences)
    value = sum(sum(cluster) for cluster in differences) / count
    squares = sum(sum(one - value for one in cluster) ** 2 for cluster in differences)
    tests = len(differences)
    error = sqrt(Fraction(tests, tests - 1) * squares / count**2)
    half = error * student(0.95, tests - 1)
    return [float(value), float(value) - half, float(value) + half]


def sign_flip(differences):
    exact = [Fraction(text) for text in differences]
    observed = abs(sum(exact))
    sums = [abs(sum(sign * one for sign, one in zip(signs, exact))) for signs in product((1, -1), repeat=len(exact))]
    return Fraction(sum(one >= observed for one in sums), len(sums))


def settle(better, worse, pairs):
    """The number of pairs by the formula, and the power that the exact test then really has."""
    normal = NormalDist().inv_cdf
    differing, difference = (better + worse) / pairs, abs(better - worse) / pairs
    spread = normal(0.975) * sqrt(differing) + normal(0.8) * sqrt(differing - difference**2)
    plain = (spread / difference) ** 2
    wanted = ceil(max(plain / 4 * (1 + sqrt(1 + 4 / (plain * difference))) ** 2, 6 / differing))
    return wanted, power(wanted, differing, max(better, worse) / (better + worse))


def power(pairs, differing, share):
    return sum(binomial(pairs, count, differing) * rejected(count, share) for count in range(pairs + 1))


def rejected(total, share):
    """How often McNemar's exact test says 0.05 or less, of this many differing pairs."""
    chance = 0.0
    for count in range(unusual_counts(total)):
        chance += binomial(total, count, share) + binomial(total, total - count, share)
    return chance


@cache
def unusual_counts(total):
    """How many counts from 0 on are so rare that both tails together have a chance of at most 0.05."""
    tail, counts = 0, 0
    while counts <= total // 2:
        tail += comb(total, counts)
        if 40 * tail > 2**total:
            break
        counts += 1
    return counts


def binomial(total, count, share):
    if share in (0, 1):
        return float(count == total * share)
    ways = lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1)
    return exp(ways + count * log(share) + (total - count) * log(1 - share))


MCNEMAR = [
    (0, 0), (1, 0), (0, 1), (1, 1), (3, 1), (5, 0), (6, 0), (0, 10), (2, 9), (7, 7), (8, 7), (12, 30), (59, 121),
    (150, 151), (400, 600), (500, 524), (1100, 1000), (4900, 5100), (25000, 25600), (49800, 50200), (50000, 50000),
    (49000, 51000), (12, 99988),
]  # fmt: skip
STRATIFIED = [
    [((5, 5), (0, 5))], [((1, 1), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (0, 1))], [((10, 10), (0, 10)), ((10, 10), (10, 10))],
    [((3, 3), (1, 3)), ((2, 3), (3, 3)), ((3, 3), (2, 3)), ((1, 3), (0, 3))], [((4, 4), (0, 2)), ((4, 4), (1, 2)), ((4, 4), (2, 2))],
    [((8, 10), (1, 6)), ((1, 1), (0, 1)), ((7, 12), (9, 9))], [((9, 10), (8, 10))] * 30, [((3, 3), (2, 3))] * 40 + [((1, 3), (3, 3))] * 25,
    [((97, 100), (88, 100)), ((150, 200), (130, 190))],
]  # fmt: skip
FAMILIES = [
    [((5, 5), (0, 5))], [((5, 5), (0, 5)), ((5, 5), (5, 5)), ((5, 5), (5, 5))], [((10, 10), (0, 10)), ((5, 10), (10, 10))],
    [((5, 5), (0, 5)), ((2, 5), (3, 5)), ((3, 5), (2, 5))], [((3, 3), (0, 3)), ((3, 3), (3, 3))],
    [((10, 10), (4, 10)), ((9, 10), (3, 10)), ((8, 10), (8, 10)), ((2, 10), (9, 10)), ((10, 10), (9, 10)), ((5, 10), (4, 10))],
    [((10, 10), (0, 3)), ((4, 8), (2, 12)), ((2, 2), (0, 9)), ((7, 7), (7, 9))],
]  # fmt: skip
TANGO = [
    (0, 0, 10), (1, 3, 120), (3, 1, 120), (5, 0, 5), (0, 5, 5), (0, 1, 1), (2, 7, 20), (7, 2, 20), (0, 4, 44), (9, 9, 50),
    (12, 30, 100), (1, 99, 1000), (0, 0, 100000), (4900, 5100, 100000), (43, 0, 44), (10, 5, 15),
]  # fmt: skip
STUDENT = [1, 2, 3, 4, 5, 9, 10, 29, 30, 99, 100, 999]
CLUSTERED = [
    [["0.1"], ["-0.2"], ["0.05"], ["0"]],
    [["1", "0", "0"], ["0", "0", "0"], ["-1", "-1", "0"], ["0", "1", "0"]],
    [["0.25", "0.5"], ["0.125"], ["-0.75", "0", "0.5", "0.5"], ["0.1"], ["0", "0"]],
    [["-1"] * 5, ["0"] * 5] * 10,
]
SIGN_FLIP = [
    ["0.1"], ["0.5", "0.25"], ["0.1", "0.2", "0.3"], ["0.1", "-0.2", "0.3", "0"], ["1", "1", "1", "-1", "1", "1", "1"],
    ["0.3", "0.1", "0.4", "-0.1", "0.5", "0.9", "0.2", "-0.6", "0.5", "0.3"],
    ["0.05", "-0.125", "0.5", "0.75", "0.0625", "-0.5", "0.25", "0.1", "0.7", "-0.3", "0.9", "0.01"],
]  # fmt: skip
SETTLE = [(1, 3, 120), (1, 0, 10), (0, 5, 5), (5, 0, 20), (0, 2, 50), (3, 8, 100), (10, 6, 40), (15, 20, 60), (7, 2, 10)]
VALUES = [[5], [1, 2], [3, 1, 2], [120, 80, 95, 3000, 101, 99, 110], [float(n * n % 101) for n in range(250)]]

result = {
    "mcnemar": [{"better": b, "worse": w, "p": float(mcnemar(b, w))} for b, w in MCNEMAR],
    "stratified": [{"tests": tests, "p": float(stratified(tests))} for tests in STRATIFIED],
    "family": [{"tests": tests, "p": [float(p) for p in family(tests)]} for tests in FAMILIES],
    "paired_rate_interval": [
        {"better": b, "worse": w, "pairs": n, "value_low_high": tango(b, w, n)} for b, w, n in TANGO
    ],
    "student": [{"degrees": degrees, "quantile": student(0.95, degrees)} for degrees in STUDENT],
    "normal": [
        {"probability": p, "quantile": NormalDist().inv_cdf(p)}
        for p in (0.5, 0.6, 0.8, 0.9, 0.95, 0.975, 0.995, 0.9995, 0.025, 0.2)
    ],
    "clustered": [
        {
            "clusters": [{"count": len(cluster), "sum": float(sum(map(Fraction, cluster)))} for cluster in clusters],
            "value_low_high": clustered(clusters),
        }
        for clusters in CLUSTERED
    ],
    "sign_flip": [{"differences": [float(d) for d in ds], "p": float(sign_flip(ds))} for ds in SIGN_FLIP],
    "settle": [
        dict(zip(("better", "worse", "pairs", "wanted", "power"), (b, w, n, *settle(b, w, n)))) for b, w, n in SETTLE
    ],
    "quantile": [
        {
            "values": values,
            "median": median(values),
            "p95": quantiles(values, n=100, method="inclusive")[94] if len(values) > 1 else values[0],
        }
        for values in VALUES
    ],
}
print(json.dumps(result, indent=1))
