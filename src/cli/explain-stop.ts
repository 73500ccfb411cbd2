import { AgentSetupError } from '../agents/agent-setup-error.ts';
import { NotComparable } from '../api/compared-side.ts';
import { JournalError } from '../journal/journal-error.ts';
import { JournalVersionError } from '../journal/journal-reader.ts';
import { RunLockedError } from '../journal/run-lock.ts';
import { NoSuchRun } from '../api/run-record.ts';
import { TargetError } from '../config/target-error.ts';
import { CostlyGrepError } from '../run/select.ts';

/** What ends a run before it is done, said; undefined for a defect of ours. */
export function explainStop(error: unknown): string | undefined {
  if (SAID.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof TargetError || error instanceof RunLockedError || error instanceof CostlyGrepError)
    return error.message + (error.hint === undefined ? '' : `\n  hint: ${error.hint}`);
  if (error instanceof JournalVersionError)
    return `${error.message}\n  hint: use the version of Assay that wrote it`;
  if (error instanceof JournalError)
    return `${error.message}\n  hint: what was recorded before is kept; \`--resume\` goes on from there`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (FILE_ERRORS.has(code ?? ''))
    return `${message}\n  hint: runs are recorded in .assay; --no-record does without`;
  return undefined;
}

/** Errors whose message says it all. */
const SAID = [AgentSetupError, NoSuchRun, NotComparable];

const FILE_ERRORS = new Set(['EACCES', 'EROFS', 'ENOSPC', 'EDQUOT', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP']);
