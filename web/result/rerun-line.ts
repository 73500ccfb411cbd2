import type { AttemptRecord } from '../../src/base/model/record.ts';
import { rerunCommand } from '../../src/base/model/rerun-command.ts';
import { givenOptions } from '../../src/base/model/run-again.ts';
import type { RunDetail } from '../source/source.ts';

/** The command that runs only this test again, as the terminal prints it. */
export function rerunLine(
  record: Pick<AttemptRecord, 'file' | 'line' | 'row' | 'test' | 'target'>,
  description: RunDetail['description'],
): string {
  return `assay ${rerunCommand(record, givenOptions(description ?? {}))}`;
}
