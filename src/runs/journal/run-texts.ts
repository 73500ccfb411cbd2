import { closeSync, fstatSync, fsyncSync } from 'node:fs';
import { grouped } from '../../base/model/grouped.ts';
import { LEFT_OUT_TEXT } from '../../base/model/sent-texts.ts';
import { openForLines, writeAll } from './append-file.ts';
import { JournalError } from './journal-error.ts';
import { TextFile, textId } from './text-file.ts';

export interface TextLimits {
  /** In characters: of a longer text, the start is kept. */
  readonly text: number;
  /** In bytes: once a run has that many, further texts are left out. */
  readonly run: number;
}

const LIMITS: TextLimits = { text: 1_000_000, run: 256 * 1024 * 1024 };
const BUFFER_BYTES = 128 * 1024;
/** A text that was kept long ago may be written again: that is harmless, and knowing all of them needs memory. */
const MOST_KNOWN = 100_000;

/**
 * The texts of a run, one line each, by their hashes. The file exists once there is one. What was added is written by `flush`, or when
 * there is enough of it.
 */
export class RunTexts {
  private readonly path: string;
  private readonly limits: TextLimits;
  private file: number | undefined;
  private bytes = 0;
  private known = new Set<string>();
  private pending: string[] = [];
  private pendingBytes = 0;

  constructor(path: string, limits = LIMITS) {
    this.path = path;
    this.limits = limits;
  }

  /** The id of a text. The text contains no secrets. */
  keep(text: string): string {
    const shown = shorten(text, this.limits.text);
    const id = textId(shown);
    if (this.file === undefined) this.guard(() => this.open());
    if (this.known.has(id)) return id;
    const line = `{"id":"${id}","text":${JSON.stringify(shown)}}\n`;
    const size = Buffer.byteLength(line);
    if (this.bytes + size > this.limits.run) return LEFT_OUT_TEXT;
    this.bytes += size;
    this.learn(id);
    this.pending.push(line);
    this.pendingBytes += size;
    if (this.pendingBytes > BUFFER_BYTES) this.flush();
    return id;
  }

  flush(): void {
    if (this.pending.length === 0) return;
    const bytes = Buffer.from(this.pending.join(''));
    this.pending = [];
    this.pendingBytes = 0;
    this.guard(() => writeAll(this.file!, bytes));
  }

  /** Everything that was kept survives a crash of the machine. */
  sync(): void {
    this.flush();
    if (this.file !== undefined) this.guard(() => fsyncSync(this.file!));
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  /** A damaged text of an earlier process is not known: it is written again. */
  private open(): void {
    this.file = openForLines(this.path);
    this.bytes = fstatSync(this.file).size;
    for (const id of this.bytes === 0 ? [] : new TextFile(this.path).intactIds()) this.learn(id);
  }

  private learn(id: string): void {
    this.known.add(id);
    if (this.known.size > MOST_KNOWN) this.known = new Set([...this.known].slice(MOST_KNOWN / 2));
  }

  private guard(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new JournalError(this.path, error);
    }
  }
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[cut: the first ${grouped(most)} of ${grouped(text.length)} characters]`;
}
