import { AgentSetupError } from '../agents/agent-setup-error.ts';
import { CassetteUsageError } from '../api/basics/cassette-usage-error.ts';
import { ChangedUsageError } from '../api/changes/changed-usage-error.ts';
import { InvalidFiles } from '../api/changes/invalid-files.ts';
import { NotComparable } from '../api/baseline/compared-side.ts';
import { AmbiguousRun } from '../runs/journal/ambiguous-run.ts';
import { JournalError } from '../runs/journal/journal-error.ts';
import { DamagedRun } from '../runs/journal/damaged-run.ts';
import { JournalVersionError } from '../runs/journal/line-opener.ts';
import { RunLockedError } from '../runs/journal/run-lock.ts';
import { RunNotFound } from '../api/recorded/run-not-found.ts';
import { QueueError } from '../run/queue/queue-error.ts';
import { ShardError } from '../api/shards/shard-error.ts';
import { TargetError } from '../suites/config/target-error.ts';

/** Explains what ended a run early; undefined for a bug in Assay. */
export function explainStop(error: unknown): string | undefined {
  if (SAID.some((kind) => error instanceof kind)) return (error as Error).message;
  const hinting = HINTING.find((kind) => error instanceof kind);
  if (hinting !== undefined) {
    const { message, hint } = error as InstanceType<typeof hinting>;
    return message + (hint === undefined ? '' : `\n  hint: ${hint}`);
  }
  if (error instanceof JournalVersionError)
    return `${error.message}\n  hint: use the version of Assay that wrote it`;
  if (error instanceof JournalError)
    return `${error.message}\n  hint: earlier results are kept; \`--resume\` continues from there`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (FILE_ERRORS.has(code ?? ''))
    return `${message}\n  hint: runs are recorded in .assay; use --no-record to run without recording`;
  return undefined;
}

/** Errors whose message is complete. */
const SAID = [AgentSetupError, NotComparable, InvalidFiles];
/** Errors that also say what to do. */
const HINTING = [
  AmbiguousRun,
  RunNotFound,
  TargetError,
  DamagedRun,
  RunLockedError,
  QueueError,
  ShardError,
  CassetteUsageError,
  ChangedUsageError,
];

const FILE_ERRORS = new Set(['EACCES', 'EROFS', 'ENOSPC', 'EDQUOT', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP']);
