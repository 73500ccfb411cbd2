import {
  closeSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isLinkOutOfProject } from '../load/project-root.ts';

const BUFFERED_CHARACTERS = 64 * 1024;

/**
 * A report on its way to its file. It is written beside the file and takes its place at the end, so that nobody ever
 * reads half a report, and a run that breaks off leaves the report of before. A device or a pipe is written to directly.
 */
export class ReportFile {
  private readonly path: string;
  private readonly temporary: string | undefined;
  private readonly file: number;
  private waiting = '';
  private isOpen = true;
  private readonly onExit = (): void => this.discard();

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw new Error(`${path} is a folder`);
    if (isLinkOutOfProject(path))
      throw new Error(`${path} is a link out of the project, and is not written through`);
    this.path = stats === undefined ? path : realpathSync(path);
    this.temporary = stats === undefined || stats.isFile() ? `${this.path}.${process.pid}.tmp` : undefined;
    this.file = openSync(this.temporary ?? this.path, 'w');
    process.once('exit', this.onExit);
  }

  write(text: string): void {
    this.waiting += text;
    if (this.waiting.length >= BUFFERED_CHARACTERS) this.flush();
  }

  /** The report is whole. */
  commit(): void {
    this.flush();
    this.close();
    if (this.temporary !== undefined) renameSync(this.temporary, this.path);
  }

  /** There is no report: as if nobody had begun one. */
  discard(): void {
    if (!this.isOpen) return;
    this.close();
    if (this.temporary !== undefined) rmSync(this.temporary, { force: true });
  }

  private close(): void {
    this.isOpen = false;
    process.off('exit', this.onExit);
    closeSync(this.file);
  }

  private flush(): void {
    const bytes = Buffer.from(this.waiting);
    this.waiting = '';
    for (let written = 0; written < bytes.length;) written += writeSync(this.file, bytes, written);
  }
}
