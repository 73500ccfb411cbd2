import type { ResultRow } from '../../src/base/model/page-data.ts';
import { plural } from '../text/format.ts';
import './repeat-marks.css';

const MAX_MARKS = 20;

/** The repeats of a test in a row: a low tick for a pass, a tall one for anything else. */
export function RepeatMarks({ attempts }: { readonly attempts: readonly ResultRow[] }) {
  const passed = attempts.filter(({ verdict }) => verdict === 'passed').length;
  const label = `${passed} of ${plural(attempts.length, 'repeat')} passed`;
  if (attempts.length > MAX_MARKS) {
    return (
      <span title={label}>
        {passed}/{attempts.length}
      </span>
    );
  }
  return (
    <span class="ticks" role="img" aria-label={label} title={label}>
      {attempts.map(({ index, verdict }) => (
        <span key={index} class={`tick tick-${verdict}`} />
      ))}
    </span>
  );
}
