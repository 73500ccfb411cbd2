import { readFileSync, statSync } from 'node:fs';
import { writeWhole } from '../../base/files/write-whole.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { isFileIntact, sealFile } from './checksum.ts';

/** `run.json` or `summary.json`, as far as it can be trusted. */
export type SealedFile =
  | { readonly state: 'missing' }
  | { readonly state: 'damaged'; readonly problem: string }
  /** `isSealed`: it has a checksum. Files of older versions have none. */
  | { readonly state: 'intact'; readonly value: JsonObject; readonly isSealed: boolean };

interface Expected {
  /** A field that only files with a checksum have. */
  readonly mark: string;
  /** Whether every field that is read exists and has the right type. */
  isWhole(value: JsonObject): boolean;
}

export function readSealed(path: string, { mark, isWhole }: Expected): SealedFile {
  const text = readText(path);
  if (text === undefined) return { state: 'missing' };
  const isIntact = isFileIntact(text);
  const value = parse(text);
  if (!isJsonObject(value)) return { state: 'damaged', problem: 'it is not a JSON object' };
  if (isIntact === false) return { state: 'damaged', problem: 'its checksum does not match its content' };
  if (isIntact === undefined && Object.hasOwn(value, mark))
    return { state: 'damaged', problem: 'its checksum is missing' };
  if (!isWhole(value)) return { state: 'damaged', problem: 'a field is missing or has the wrong type' };
  const { crc32: _checksum, ...rest } = value;
  return { state: 'intact', value: rest, isSealed: isIntact === true };
}

export function writeSealed(path: string, value: object): void {
  writeWhole(path, sealFile(printJson(value, '  ')), { mode: 0o600, flush: true });
}

/** Undefined if there is no such file, and empty if it cannot be read. Reading a device or a FIFO would never end. */
export function readText(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
