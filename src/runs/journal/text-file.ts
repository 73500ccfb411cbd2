import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { TEXT_ID } from '../../base/model/sent-texts.ts';
import { JournalTail } from './journal-tail.ts';
import { readLineAt } from './record-file.ts';

interface Place {
  readonly offset: number;
  readonly length: number;
}

const START = Buffer.from(`{"id":"${TEXT_ID}`);
const ID_BYTES = TEXT_ID.length + 64;
const BEFORE_ID = START.length - TEXT_ID.length;

/** Reads the texts of a run. The file may grow meanwhile, may be missing, and may be damaged: a text that does not match its hash is none. */
export class TextFile {
  private readonly path: string;
  private readonly tail: JournalTail;
  /** Of texts that were written twice, the last one: the first may be damaged. */
  private readonly places = new Map<string, Place>();

  constructor(path: string) {
    this.path = path;
    this.tail = new JournalTail(path);
  }

  /** Undefined: it is missing. */
  read(id: string): string | undefined {
    if (!this.places.has(id)) this.catchUp();
    const place = this.places.get(id);
    if (place === undefined) return undefined;
    try {
      return textOf(readLineAt(this.path, place), id);
    } catch {
      // It is damaged, or was removed since.
      return undefined;
    }
  }

  /** How many texts it knows. */
  get weight(): number {
    return this.places.size;
  }

  intactIds(): readonly string[] {
    this.catchUp();
    return [...this.places.keys()].filter((id) => this.read(id) !== undefined);
  }

  private catchUp(): void {
    // Reading a device or a FIFO would never end.
    if (statSync(this.path, { throwIfNoEntry: false })?.isFile() !== true) return;
    for (let lines = this.tail.read(); lines !== undefined; lines = this.tail.read())
      for (const { bytes, offset } of lines) {
        if (!bytes.subarray(0, START.length).equals(START)) continue;
        const id = bytes.toString('latin1', BEFORE_ID, BEFORE_ID + ID_BYTES);
        this.places.set(id, { offset, length: bytes.length });
      }
  }
}

/** Throws for what is no JSON. */
function textOf(line: Buffer, id: string): string | undefined {
  const value = JSON.parse(line.toString()) as Json;
  const text = isJsonObject(value) ? value['text'] : undefined;
  return typeof text === 'string' && textId(text) === id ? text : undefined;
}

export function textId(text: string): string {
  return TEXT_ID + createHash('sha256').update(text).digest('hex');
}
