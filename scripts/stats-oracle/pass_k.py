"""pass@k and pass^k in exact arithmetic: counts every way to draw k of n attempts."""

import json
from fractions import Fraction
from math import comb


def main():
    cases = []
    for measured in [*range(0, 13), 50, 200]:
        for passed in sorted({0, 1, 2, measured // 3, measured // 2, measured - 1, measured}):
            if not 0 <= passed <= measured:
                continue
            for k in [1, 2, 3, 4, 5, 8, 10, 32]:
                case = {"passed": passed, "measured": measured, "k": k}
                if measured >= k:
                    draws = comb(measured, k)
                    case["pass_at_k"] = float(1 - Fraction(comb(measured - passed, k), draws))
                    case["pass_hat_k"] = float(Fraction(comb(passed, k), draws))
                cases.append(case)
    print(json.dumps(cases, indent=1))


main()
