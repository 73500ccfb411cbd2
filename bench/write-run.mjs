// A finished run on the disk, as Assay writes one (docs/journal.md), of records that are made up.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const CHUNK_CHARACTERS = 1_000_000;
const MOST_IDS = 5000;

/** Answers with the path of the journal. */
export function writeRun(folder, { run_id, sequence, records }) {
  const directory = join(folder, '.assay', 'runs', run_id);
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'results.jsonl');
  const file = openSync(path, 'w');
  const journal = { bytes: 0, crc32: 0, records: 0, ids: [] };
  const write = (text) => {
    journal.bytes += writeSync(file, text);
    journal.crc32 = crc32(text, journal.crc32);
  };
  let text = `${sealed({ assay_journal: 2, run_id })}\n`;
  for (const record of records) {
    text += `${sealed(record)}\n`;
    if (++journal.records <= MOST_IDS) journal.ids.push(record.id);
    if (text.length > CHUNK_CHARACTERS) {
      write(text);
      text = '';
    }
  }
  write(text);
  closeSync(file);
  const started_at = '2026-01-01T00:00:00.000Z';
  const description = { run_id, sequence, started_at, files: [], cwd: '', options: {}, versions: {} };
  writeFileSync(join(directory, 'run.json'), sealedFile(description));
  const { records: count, ids } = journal;
  const seal = { ...journal, crc32: hex(journal.crc32), ids: count > MOST_IDS ? undefined : ids };
  writeFileSync(
    join(directory, 'summary.json'),
    sealedFile({ run_id, exit_code: 0, summary: summaryOf(count), journal: seal }),
  );
  return path;
}

function summaryOf(count) {
  const counts = { tests: count, attempts: count, passed: count, failed: 0, error: 0, skipped: 0, flaky: 0 };
  const rest = {
    undecided: 0,
    not_started: 0,
    errors: {},
    pass_at_k: [],
    pass_hat_k: [],
    gates: [],
    rules: {},
  };
  return { ...counts, ...rest, attempts_without_cost: 0, duration_ms: 1, interrupted: false };
}

function sealed(value) {
  const before = JSON.stringify(value).slice(0, -1);
  return `${before},"crc32":"${hex(crc32(before))}"}`;
}

function sealedFile(value) {
  const before = JSON.stringify(value, null, 2).slice(0, -2);
  return `${before},\n  "crc32": "${hex(crc32(before))}"\n}\n`;
}

function hex(checksum) {
  return checksum.toString(16).padStart(8, '0');
}
