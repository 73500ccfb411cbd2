import { isAscii, isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { DatasetReader, type DatasetLine } from '../formats/dataset.ts';
import { LIMITS } from '../formats/limits.ts';
import { emptyDataset, type Formats } from '../formats/parse-suite.ts';
import { parseSidecar, type Sidecar } from '../formats/sidecar.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { attachFiles } from './file-parts.ts';
import { knownFormats } from './known-formats.ts';
import { findProjectRoot, rootForSuite } from './project-root.ts';
import { fileFinding, readSuiteFile, unreadable } from './read-suite-file.ts';

const CHUNK_BYTES = 512 * 1024;
const LINE_FEED = 0x0a;

/** A line of a dataset file: its test, or why it has none. `line` 0 speaks of the file or its sidecar. */
export interface DatasetItem extends DatasetLine {
  /** The line as it stands in the file, for code frames. */
  readonly text: string;
}

export interface ReadDatasetContext {
  readonly formats: Formats;
  readonly root: string;
  readonly sidecar?: Sidecar;
}

/** Streams a dataset line by line: `for await (const { test, findings } of readDataset('cases.jsonl'))`. */
export function readDataset(file: string): AsyncIterable<DatasetItem> {
  return streamDataset(file, { formats: knownFormats(), root: rootForSuite(file, findProjectRoot(process.cwd())) });
}

/** Streams a dataset: its memory does not grow with the number of lines, except for 12 to 24 bytes for each id. */
export async function* streamDataset(file: string, context: ReadDatasetContext): AsyncGenerator<DatasetItem> {
  const sidecar = context.sidecar ?? readSidecar(file, context.formats);
  if (sidecar.findings.length > 0) yield { line: 0, text: '', findings: sidecar.findings };
  const reader = new DatasetReader({ file, schema: context.formats.evalFile.evalCase, defaults: sidecar.defaults });
  let isEmpty = true;
  for await (const lines of readLines(file)) {
    for (const { text, line, finding } of lines) {
      const read = finding === undefined ? reader.read(text, line) : { line, findings: [finding] };
      if (read === undefined) continue;
      isEmpty = false;
      if (read.test === undefined) {
        yield { ...read, text };
        continue;
      }
      const { test, findings } = attachFiles(read.test, { file, root: context.root });
      const hasTest = findings.length === 0;
      yield { line, text, ...(hasTest ? { test } : {}), findings: hasTest ? read.findings : [...read.findings, ...findings] };
    }
  }
  if (isEmpty) yield { line: 0, text: '', findings: [emptyDataset(file)] };
}

/** `name.yaml` beside `name.jsonl`. That there is none is not a finding. */
export function readSidecar(file: string, formats: Formats): Sidecar {
  const path = file.replace(/\.jsonl$/i, '.yaml');
  if (!existsSync(path)) return { defaults: {}, findings: [] };
  const read = readSuiteFile(path);
  return 'finding' in read ? { defaults: {}, findings: [read.finding] } : parseSidecar(path, read.text, formats.sidecar);
}

interface Line {
  readonly text: string;
  readonly line: number;
  readonly finding?: ReturnType<typeof fileFinding>;
}

/** The lines of a file, in batches of what one read brought: one step of an async iterator costs more than one line. */
async function* readLines(file: string): AsyncGenerator<Iterable<Line>> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    yield [{ text: '', line: 0, finding: unreadable(file, error) }];
    return;
  }
  try {
    if (!(await handle.stat()).isFile()) {
      yield [{ text: '', line: 0, finding: fileFinding(file, 'not_a_file', 'this is no regular file') }];
      return;
    }
    yield* splitLines(handle, file);
  } catch (error) {
    yield [{ text: '', line: 0, finding: unreadable(file, error) }];
  } finally {
    await handle.close();
  }
}

async function* splitLines(handle: FileHandle, file: string): AsyncGenerator<Iterable<Line>> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let line = 1;
  let offset = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
    const chunk = buffer.subarray(0, bytesRead);
    const end = bytesRead === 0 ? 0 : chunk.lastIndexOf(LINE_FEED) + 1;
    if (bytesRead > 0 && end === 0) {
      pending.push(chunk);
      pendingBytes += bytesRead;
      if (pendingBytes > LIMITS.lineBytes) {
        yield [{ text: '', line, finding: { ...fileFinding(file, 'too_large', 'a line of more than 64 MB', 'the rest of the file was not read'), line } }];
        return;
      }
      continue;
    }
    const whole = Buffer.concat([...pending, bytesRead === 0 ? chunk : chunk.subarray(0, end)]);
    const batch = [...decodeLines(whole, { file, line, offset })];
    yield batch;
    line += batch.length;
    offset += whole.length;
    if (bytesRead === 0) return;
    pending = end < bytesRead ? [chunk.subarray(end)] : [];
    pendingBytes = bytesRead - end;
  }
}

interface BatchStart {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
}

/** Decoding a whole batch at once is several times faster than line by line. */
function* decodeLines(bytes: Buffer, { file, line, offset }: BatchStart): Generator<Line> {
  if (bytes.length === 0) return;
  const body = bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes;
  if (isUtf8(body)) {
    const text = isAscii(body) ? body.toString('latin1') : body.toString('utf8');
    for (const part of text.split('\n')) yield { text: part, line: line++ };
    return;
  }
  for (let start = 0; start <= body.length; line++) {
    const feed = body.indexOf(LINE_FEED, start);
    const end = feed === -1 ? body.length : feed;
    const decoded = decodeUtf8(body.subarray(start, end));
    if ('text' in decoded) yield { text: decoded.text, line };
    else {
      const message = `the byte at offset ${offset + start + decoded.invalidAt} is no UTF-8`;
      yield { text: '', line, finding: { ...fileFinding(file, 'invalid_utf8', message, 'save the file as UTF-8'), line, column: decoded.invalidAt + 1 } };
    }
    start = end + 1;
  }
}
