import { fileURLToPath } from 'node:url';
import type { AttemptRecord } from '../../src/base/model/record.ts';

interface MadeRun {
  readonly run_id: string;
  readonly records: Iterable<AttemptRecord>;
}

const MODULE = fileURLToPath(new URL('../../bench/write-run.mjs', import.meta.url));
const { writeRun: write } = (await import(MODULE)) as {
  readonly writeRun: (folder: string, run: MadeRun & { readonly sequence: number }) => string;
};

let sequence = 0;

/** A finished run of made-up records, as Assay writes one. Answers with the path of its journal. */
export function writeRun(project: string, run: MadeRun): string {
  return write(project, { ...run, sequence: ++sequence });
}
