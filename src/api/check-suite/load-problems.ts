import type { Finding } from '../../base/model/finding.ts';
import type { Place } from '../../base/model/place.ts';

/** File warnings that mean: this checks less than it seems to. `assay check` counts them as problems. */
const PROBLEMS = new Set([
  'always_holds',
  'never_holds',
  'limit_too_high',
  'limit_too_low',
  'threshold_zero',
  'skip_text',
  'without_effect',
  'expected_ignored',
  'evaluators_ignored',
  'list_index',
  'never_equal',
  'partial_credit',
  'loose_tolerance',
  'unfilled_braces',
]);

export function isProblem({ code, severity }: Finding): boolean {
  return severity === 'warning' && PROBLEMS.has(code);
}

/** The loader may already know why an assertion always or never holds: it need not be reported twice. */
export class KnownProblems {
  private readonly places = new Map<string, Pick<Place, 'line' | 'column'>[]>();

  add(finding: Finding): void {
    if (!SAID_AGAIN.has(finding.code)) return;
    const { file, line, column } = finding;
    const known = this.places.get(file) ?? [];
    if (known.length < MOST) known.push({ line, column });
    this.places.set(file, known);
  }

  /** Whether a finding is inside an assertion: after its beginning and before that of the next one. */
  isKnown(place: Place, others: readonly Place[]): boolean {
    return (this.places.get(place.file) ?? []).some(
      (found) =>
        !isBefore(found, place) &&
        !others.some(
          (other) => other.file === place.file && isBefore(place, other) && !isBefore(found, other),
        ),
    );
  }
}

const SAID_AGAIN = new Set(['always_holds', 'never_holds', 'limit_too_high', 'never_equal']);
const MOST = 10_000;

function isBefore(a: Pick<Place, 'line' | 'column'>, b: Pick<Place, 'line' | 'column'>): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}
