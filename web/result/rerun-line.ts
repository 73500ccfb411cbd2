import type { Json } from '../../src/model/json.ts';
import type { AttemptRecord } from '../../src/model/record.ts';
import { rerunCommand, rerunOptions, type RerunOptions } from '../../src/model/rerun-command.ts';
import type { RunDetail } from '../source/source.ts';

/** The command that runs only this test again, as the terminal prints it. */
export function rerunLine(
  record: Pick<AttemptRecord, 'file' | 'line' | 'row' | 'test' | 'target'>,
  description: RunDetail['description'],
): string {
  return `assay ${rerunCommand(record, optionsOf(description))}`;
}

/** Those of the run that a rerun needs too. */
export function optionsOf(description: RunDetail['description']): RerunOptions {
  const { options, targets } = description ?? {};
  if (!isRecord(options)) return {};
  return rerunOptions([{ options, targets: Array.isArray(targets) ? targets.filter(isRecord) : [] }]);
}

function isRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null;
}
