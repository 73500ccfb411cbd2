import { crc32 } from 'node:zlib';
import type { Summary } from '../../base/model/summary.ts';
import type { Damage } from './damaged-run.ts';
import { FileDigest } from './file-digest.ts';
import { parseRecord } from './journal-reader.ts';
import type { JournalSeal } from './journal-seal.ts';
import { LineOpener } from './line-opener.ts';
import { outlineOf } from './record-outline.ts';
import { numbered } from '../../base/model/grouped.ts';

/** What the other files of a run say about its journal. */
export interface JournalClaims {
  /** Undefined if the run did not end, or if its version wrote no seals. */
  readonly seal?: JournalSeal | undefined;
  /** Undefined if the run did not end. */
  readonly summary?: Summary | undefined;
  readonly runId?: string | undefined;
}

interface SeenRecord {
  readonly line: number;
  readonly id: string;
  readonly checksum: number;
  readonly verdict: string;
}

const LINE_FEED = Buffer.from('\n');
/** The place of a record's id. */
const ID = /^\{"id":"((?:[^"\\]|\\.)*)"/;
const MAX_ID_BYTES = 4096;

/** Compares a journal, line by line, with what its run says it wrote. */
export class JournalCheck {
  private readonly path: string;
  private readonly opener: LineOpener;
  private readonly seen: SeenRecord[] = [];
  private readonly damage: Damage[] = [];
  private readonly digest = new FileDigest();
  private lines = 0;
  private headerId: string | undefined;

  constructor(path: string) {
    this.path = path;
    this.opener = new LineOpener(path);
  }

  /** The next whole line, without its line feed. Throws a JournalVersionError for an unknown version. */
  add(line: Buffer): void {
    this.lines++;
    this.digest.add(line);
    this.digest.add(LINE_FEED);
    const opened = this.opener.open(line);
    if (opened.kind === 'header') {
      if (this.lines === 1) this.headerId = opened.runId;
      else this.report(this.lines, undefined, 'there is a second header among the records');
      return;
    }
    if (this.lines === 1) this.report(1, undefined, 'the header is damaged or missing');
    const record =
      opened.kind === 'damaged'
        ? undefined
        : opened.length < line.length
          ? outlineOf(line, opened.length)
          : parseRecord(line, opened.length);
    if (record === undefined) {
      if (this.lines > 1) this.reportRecord(line);
      return;
    }
    this.seen.push({ line: this.lines, id: record.id, checksum: crc32(line), verdict: record.verdict });
  }

  /** What is wrong. `size`: of the whole file, including half a line at its end. */
  end(size: number, { seal, summary, runId }: JournalClaims): readonly Damage[] {
    if (seal !== undefined && size === seal.bytes && this.digest.isOf(seal)) return [];
    if (runId !== undefined && this.headerId !== undefined && this.headerId !== runId)
      this.report(1, undefined, `this is the journal of another run, ${this.headerId}`);
    this.findDoubled();
    if (seal !== undefined) this.compareWithSeal(seal, size);
    else if (summary !== undefined && this.opener.needsSeal)
      this.report(undefined, undefined, 'the summary of the run does not say what was written to it');
    else if (summary !== undefined) this.compareWithSummary(summary);
    return this.damage;
  }

  private findDoubled(): void {
    const known = new Set<string>();
    for (const { id, checksum, line } of this.seen) {
      const key = `${checksum} ${id}`;
      if (known.has(key)) this.report(line, id, `the record of ${id} occurs twice`);
      known.add(key);
    }
  }

  private compareWithSeal({ bytes, records, ids }: JournalSeal, size: number): void {
    if (ids !== undefined) this.compareIds(ids);
    else if (this.seen.length !== records)
      this.report(
        undefined,
        undefined,
        `it contains ${numbered(this.seen.length, 'whole record')}, but the run wrote ${numbered(records, 'record')}`,
      );
    if (this.damage.length === 0)
      this.report(
        undefined,
        undefined,
        `its content is not what the run wrote: it has ${numbered(size, 'byte')}, and the run wrote ${size === bytes ? 'different bytes' : numbered(bytes, 'byte')}`,
      );
  }

  /** `ids`: those of the lines that the run wrote. */
  private compareIds(ids: readonly string[]): void {
    const left = new Map<string, number>();
    for (const id of ids) left.set(id, (left.get(id) ?? 0) + 1);
    for (const { id } of this.seen) left.set(id, (left.get(id) ?? 0) - 1);
    const said = new Set(this.damage.map(({ id }) => id));
    for (const [id, number] of left) {
      if (said.has(id)) continue;
      if (number > 0) this.report(undefined, id, `the record of ${id} is missing`);
      const extra = number < 0 ? this.seen.findLast((record) => record.id === id) : undefined;
      if (extra !== undefined) this.report(extra.line, id, `the run did not write this record of ${id}`);
    }
    if (this.damage.length > 0) return;
    const moved = this.seen.find(({ id }, index) => id !== ids[index]);
    if (moved !== undefined)
      this.report(moved.line, moved.id, `the record of ${moved.id} has moved: the run wrote it elsewhere`);
  }

  /** A resumed run may have records of removed tests: more records than the summary counts are not damage. */
  private compareWithSummary(summary: Summary): void {
    const latest = new Map(this.seen.map(({ id, verdict }) => [id, verdict]));
    const missing = summary.attempts - latest.size;
    if (missing > 0)
      this.report(
        undefined,
        undefined,
        `it contains the records of ${numbered(latest.size, 'attempt')}, but the summary counts ${summary.attempts}: ${missing} are missing`,
      );
    // With repeats, the summary counts tests, not attempts.
    if (missing !== 0 || summary.tests !== summary.attempts || summary.undecided > 0) return;
    for (const verdict of ['passed', 'failed', 'error', 'skipped', 'not_graded'] as const) {
      const recorded = [...latest.values()].filter((own) => own === verdict).length;
      if (recorded !== (summary[verdict] ?? 0))
        this.report(
          undefined,
          undefined,
          `${recorded} of its records say ${verdict}, but the summary counts ${summary[verdict] ?? 0}`,
        );
    }
  }

  private reportRecord(line: Buffer): void {
    const found = ID.exec(line.toString('utf8', 0, MAX_ID_BYTES));
    const id = found === null ? undefined : unquote(found[1]!);
    this.report(this.lines, id, id === undefined ? 'a record is damaged' : `the record of ${id} is damaged`);
  }

  private report(line: number | undefined, id: string | undefined, message: string): void {
    this.damage.push({ file: this.path, line, id, message });
  }
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
