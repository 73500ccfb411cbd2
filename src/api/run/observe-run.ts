import { withoutTexts } from '../../base/model/sent-texts.ts';
import type { RunObserver } from '../../run/run-tests.ts';
import type { RunBaseline } from '../baseline/run-baseline.ts';
import type { PreparedRun } from './prepared-run.ts';
import type { RunRecord } from './run-record.ts';

interface Recording {
  readonly record: RunRecord | undefined;
  /** Undefined if nothing is compared. */
  readonly baseline: RunBaseline | undefined;
}

/** Events go to the journal first, and then to the reporters. */
export function observeRun(
  { redactor, log, queue, changes, comparer }: PreparedRun,
  { record, baseline }: Recording,
  onResumed: () => void,
): RunObserver {
  return {
    onStart({ id, file, test }) {
      // A dispatched attempt has not started.
      if (queue !== undefined) return;
      const attempt = redactor.value({ id, file, test: test.id });
      record?.live.began(attempt);
      log.emit('onAttemptStart', attempt);
    },
    onResult(measured) {
      const { value, json: printed } = redactor.printed(measured);
      const result = record === undefined ? withoutTexts(value) : record.keepTexts(value);
      const json = result === value ? printed : undefined;
      // It has its place in the order too, although nothing runs.
      if (result.verdict === 'skipped' && queue === undefined)
        log.emit('onAttemptStart', { id: result.id, file: result.file, test: result.test });
      baseline?.add(result);
      comparer?.add(result);
      if (record === undefined) return log.emit('onResult', result);
      record.append(result, json, () => log.emit('onResult', result));
      record.live.ended(result.id);
    },
    onRecorded(result, { isMoved }) {
      onResumed();
      baseline?.add(result);
      comparer?.add(result);
      for (const finding of result.findings ?? []) log.find(finding);
      const safe = redactor.value(result);
      const shown = record === undefined ? withoutTexts(safe) : record.keepTexts(safe);
      // What a run takes from another one becomes part of it. So do the lines where a test stands now.
      const isKept =
        changes === undefined ||
        record === undefined ||
        (changes.isIn(record.directory, shown.id) && !isMoved);
      if (isKept) log.emit('onResult', shown);
      else record.append(shown, undefined, () => log.emit('onResult', shown));
    },
    caughtUp: () => log.emit.caughtUp(),
    onFinding(finding) {
      if (record === undefined) log.find(finding);
      else record.inOrder(() => log.find(finding));
    },
  };
}
