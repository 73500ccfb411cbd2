import { readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ReadAhead } from '../../base/files/read-ahead.ts';
import { DatasetReader } from '../formats/dataset.ts';
import type { Formats } from '../formats/parse-suite.ts';
import type { Test } from '../../base/model/test.ts';
import { attachFiles } from './file-parts.ts';
import { knownFormats } from './known-formats.ts';
import { createRowFiles } from './row-files.ts';
import { readSidecar } from './sidecars.ts';
import { TestCursor } from './test-cursor.ts';

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

interface DatasetPlace {
  readonly file: string;
  /** No file outside it is read. */
  readonly root: string;
  readonly formats?: Formats;
}

/** Single tests of a dataset by line, in any order. It keeps 8 bytes per line. */
export class DatasetLines {
  private readonly place: DatasetPlace;
  private readonly handle: FileHandle;
  private readonly starts: Float64Array;
  private readonly reader: DatasetReader;
  /** The rows of the line that was asked for last. */
  private rows: { readonly line: number; readonly cursor: TestCursor } | undefined;
  private readonly lines: ReadAhead;

  private constructor(place: DatasetPlace, handle: FileHandle, starts: Float64Array) {
    this.place = place;
    this.handle = handle;
    this.starts = starts;
    this.lines = new ReadAhead((buffer, offset) => readSync(handle.fd, buffer, 0, buffer.length, offset));
    const { formats = knownFormats() } = place;
    const { defaults } = readSidecar(place.file, formats);
    const { evalCase: schema, kinds } = formats.evalFile;
    // The same test may be requested twice, and whoever planned the run has checked the ids.
    const options = { file: place.file, schema, kinds, defaults, areIdsKnown: true };
    this.reader = new DatasetReader({ ...options, rowFiles: createRowFiles(place) });
  }

  static async open(place: DatasetPlace): Promise<DatasetLines> {
    const handle = await open(place.file, 'r');
    return new DatasetLines(place, handle, await findLines(handle));
  }

  /** Undefined if there is no valid test with that id at that line. */
  testAt(line: number, id: string): Test | undefined {
    if (this.rows?.line === line) return this.withFiles(this.rows.cursor.find(id));
    const start = this.starts[line - 1];
    const end = this.starts[line];
    if (start === undefined || end === undefined) return undefined;
    const text = this.lines
      .pieceAt(start, end - start)
      .toString('utf8')
      .replace(/\n$/, '');
    const read = this.reader.read(text, line);
    if (read?.rows === undefined) return this.withFiles(read?.test?.id === id ? read.test : undefined);
    this.rows?.cursor.close();
    const cursor = new TestCursor(() => this.rowTests(text, line));
    this.rows = { line, cursor };
    return this.withFiles(cursor.find(id));
  }

  private *rowTests(text: string, line: number): Generator<Test> {
    for (const { test } of this.reader.read(text, line)?.rows ?? []) if (test !== undefined) yield test;
  }

  private withFiles(test: Test | undefined): Test | undefined {
    return test === undefined ? undefined : attachFiles(test, this.place).test;
  }

  async close(): Promise<void> {
    this.rows?.cursor.close();
    await this.handle.close();
  }
}

/** The offset of each line, and the end of the last one. */
async function findLines(handle: FileHandle): Promise<Float64Array> {
  let starts = new Float64Array(1024);
  let count = 1;
  let offset = 0;
  const add = (start: number): void => {
    if (count === starts.length) {
      const longer = new Float64Array(2 * starts.length);
      longer.set(starts);
      starts = longer;
    }
    starts[count++] = start;
  };
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, offset);
    if (bytesRead === 0) break;
    const read = chunk.subarray(0, bytesRead);
    for (let feed = read.indexOf(LINE_FEED); feed !== -1; feed = read.indexOf(LINE_FEED, feed + 1))
      add(offset + feed + 1);
    offset += bytesRead;
  }
  if (starts[count - 1] !== offset) add(offset);
  return starts.subarray(0, count);
}
