import { join } from 'node:path';
import type { Damage } from '../../journal/damaged-run.ts';
import { fileFinding } from '../../load/read-suite-file.ts';
import type { Finding } from '../../model/finding.ts';
import type { Summary } from '../../model/summary.ts';

export function damagedRun(path: string, runId: string): Finding {
  const file = join(path, 'run.json');
  const finding = fileFinding(
    file,
    'damaged_run',
    'this run is passed over: its run.json cannot be read, so nobody knows which files it was of',
    `to continue it, say --resume=${runId}`,
  );
  return { ...finding, severity: 'warning' };
}

/** Of a run that goes on: what it lost is made again. */
export function repairedDamage({ file, line = 1, message }: Damage): Finding {
  const hint = /\brun\.json$/.test(file)
    ? 'it is written anew: this run is held to the options of this command line alone'
    : 'attempts without a whole record run again';
  return { ...fileFinding(file, 'damaged_run', message, hint), line, severity: 'warning' };
}

/** Version 1 of the journal wrote records like these, and whoever takes checksums away leaves them. */
export function unsealedRecords(file: string, count: number): Finding {
  const message = `${count} ${count === 1 ? 'record has' : 'records have'} no checksum, and may not be what was written`;
  const finding = fileFinding(file, 'unsealed_records', message, 'their attempts run again');
  return { ...finding, severity: 'warning' };
}

export function nothingToResume(run_id: string): Finding {
  const finding = fileFinding(
    run_id,
    'nothing_to_resume',
    'there is no earlier run that was asked for these tests of these files: this is a new one',
  );
  return { ...finding, severity: 'warning' };
}

export function ownBaseline(run_id: string): Finding {
  return fileFinding(
    run_id,
    'own_baseline',
    'the run that goes on is its own baseline',
    'name an earlier run, or a baseline file',
  );
}

export function partAsBaseline(run_id: string): Finding {
  return fileFinding(
    run_id,
    'own_baseline',
    'a run that is merged is the baseline of the whole',
    'name an earlier run, or a baseline file',
  );
}

export function clockReplaced(run_id: string, names: readonly string[]): Finding {
  const message = `an agent, a config or a reporter replaced ${someOf(names)}: Assay measures with its own clock`;
  return { ...fileFinding(run_id, 'clock_replaced', message), severity: 'warning' };
}

export function builtinsReplaced(run_id: string, names: readonly string[]): Finding {
  return fileFinding(
    run_id,
    'builtins_replaced',
    `an agent, a config or a reporter replaced ${someOf(names)}: what this run says may be wrong`,
    'leave them as they are, or run the agent as a program (`cmd: ...`), which cannot touch Assay',
  );
}

export function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const NAMED = 5;

export function nothingRan(paths: readonly string[], { skipped, tests }: Summary): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  const message = tests > 0 && skipped === tests ? 'every test is skipped' : 'no tests ran';
  return fileFinding(where, 'no_tests', message, 'check the paths and filters, or say --pass-with-no-tests');
}
