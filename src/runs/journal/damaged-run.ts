import { basename } from 'node:path';
import type { RunDirectory } from './run-directory.ts';
import { grouped } from '../../base/model/grouped.ts';

/** A part of a run that differs from what was written. */
export interface Damage {
  /** The file it is in. */
  readonly file: string;
  /** Counts from 1; absent if it does not concern a single line. */
  readonly line?: number | undefined;
  /** The attempt of the damaged record, if known. */
  readonly id?: string | undefined;
  readonly message: string;
}

/** More than anybody reads. */
const MOST_SHOWN = 20;

/** The recorded data of a run has changed: nothing derived from it could be trusted. */
export class DamagedRun extends Error {
  readonly hint: string;

  constructor({ runId, path }: RunDirectory, damage: readonly Damage[]) {
    const lines = damage.slice(0, MOST_SHOWN).map((each) => `\n  ${damageText(each)}`);
    const rest = damage.length - lines.length;
    const more = rest > 0 ? `\n  and ${grouped(rest)} more` : '';
    super(`the run ${runId} is damaged (${path}):${lines.join('')}${more}`);
    this.name = 'DamagedRun';
    this.hint = `${repairHint(runId)}; \`assay view ${runId}\` shows what is left`;
  }
}

/** With the file name; the folder is known. */
export function damageText({ file, line, message }: Damage): string {
  return `${basename(file)}${line === undefined ? '' : `:${line}`}: ${message}`;
}

export function repairHint(runId: string): string {
  return `\`assay run ... --resume=${runId}\` runs the missing attempts again`;
}
