import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { refuseLinkedFolder } from '../../base/files/make-folder.ts';
import type { LabelLine } from '../../base/model/label.ts';
import { isLabelLine } from './label-line.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
/** Links are refused, and a pipe must not keep us waiting. Windows has neither flag. */
const CAREFUL = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
const LINE_FEED = 0x0a;

export interface ReadLabels {
  /** In the order in which they were written. */
  readonly lines: readonly LabelLine[];
  /** How many lines are not labels: the traces of a crash, or of an editor. */
  readonly unreadable: number;
}

function labelsPath(runFolder: string): string {
  return join(runFolder, 'labels.jsonl');
}

/**
 * Adds a line, and returns when the disk has it. Each line is one write at the end of the file, so several processes
 * may add lines at once. Half a line that a crash left at the end stays a line of its own. Throws if the run's folder
 * does not exist, or if the folder or the file is a link, or the file not a file.
 */
export function appendLabel(runFolder: string, label: LabelLine): void {
  refuseLinkedFolder(runFolder);
  // To read as well: the last byte says whether a crash left half a line.
  const file = openSync(labelsPath(runFolder), O_RDWR | O_APPEND | O_CREAT | CAREFUL, 0o600);
  try {
    const size = fileSize(file);
    const start = size === 0 || lastByte(file, size) === LINE_FEED ? '' : '\n';
    const bytes = Buffer.from(`${start}${JSON.stringify(label)}\n`);
    const written = writeSync(file, bytes);
    if (written < bytes.length)
      throw Object.assign(new Error('the label was not written whole: is the disk full?'), {
        code: 'ENOSPC',
      });
    fsyncSync(file);
    if (size === 0) syncFolder(runFolder);
  } finally {
    closeSync(file);
  }
}

/** Without a file there are none. */
export function readLabels(runFolder: string): ReadLabels {
  let text: string;
  try {
    const file = openSync(labelsPath(runFolder), O_RDONLY | CAREFUL);
    try {
      fileSize(file);
      text = readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // A link, a folder, a pipe or a file of another user has labels that nobody can read here.
    return { lines: [], unreadable: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 0 : 1 };
  }
  const lines: LabelLine[] = [];
  let unreadable = 0;
  for (const written of text.split('\n')) {
    if (written.trim() === '') continue;
    const value = parse(written);
    if (isLabelLine(value)) lines.push(value);
    else unreadable++;
  }
  return { lines, unreadable };
}

/** Throws if it is a pipe or a device: what is read there is gone, or never ends. */
function fileSize(file: number): number {
  const stat = fstatSync(file);
  if (!stat.isFile()) throw Object.assign(new Error('labels.jsonl is not a file'), { code: 'EINVAL' });
  return stat.size;
}

function lastByte(file: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  return readSync(file, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
}

/** The name of a new file is part of its folder. Some systems cannot sync folders. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, O_RDONLY);
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // The line itself is on the disk.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
