import { printJson } from '../../base/model/print-json.ts';
import type { Reporter, ReporterContext } from './reporter.ts';

/** Records as in the journal, findings as `{"finding": ...}`, and a last line about the run. */
export function createReporter({ write }: ReporterContext): Reporter {
  let runId = '';
  return {
    onRunStart({ run_id }) {
      runId = run_id;
    },
    onFinding: (finding) => write(`${printJson({ finding })}\n`),
    onResult: (record) => write(`${printJson(record)}\n`),
    onRunEnd: ({ summary, exit_code }) => write(`${printJson({ run_id: runId, exit_code, summary })}\n`),
  };
}
