"""Wilson's interval as the roots of its quadratic, (r - p)^2 = z^2 p (1 - p) / n, with 50 digits."""

import json
from decimal import Decimal, getcontext

getcontext().prec = 50
# The 97.5 % quantile of the normal distribution.
Z = Decimal("1.959963984540054235524594430520551527956")


def interval(count, total):
    rate = Decimal(count) / total
    a = 1 + Z * Z / total
    b = -(2 * rate + Z * Z / total)
    root = (b * b - 4 * a * rate * rate).sqrt()
    return float((-b - root) / (2 * a)), float((-b + root) / (2 * a))


def main():
    cases = []
    for total in [1, 2, 3, 5, 10, 40, 50, 199, 200, 1000, 1000000]:
        for count in sorted({0, 1, total // 7, total // 2, total - 1, total}):
            low, high = interval(count, total)
            cases.append({"count": count, "total": total, "low": low, "high": high})
    print(json.dumps(cases, indent=1))


main()
