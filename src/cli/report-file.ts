import { closeSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DraftFile, removeLeftDrafts, writeAll } from '../files/draft-file.ts';
import { isLinkOutOfProject } from '../load/project-root.ts';
import { makeFolder } from '../files/make-folder.ts';
import { findProjectRoot } from '../load/project-root.ts';

const BUFFERED_CHARACTERS = 64 * 1024;

/**
 * A report on its way to its file. It is written beside the file and replaces it at the end, so nobody ever reads
 * half a report, and a run that is cut off leaves the earlier report. A device or a pipe is written to directly.
 */
export class ReportFile {
  private readonly file: Pick<DraftFile, 'write' | 'commit' | 'discard'>;
  private waiting = '';
  private isOpen = true;

  constructor(path: string) {
    makeFolder(dirname(path), { root: findProjectRoot(process.cwd()) });
    removeLeftDrafts(path);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw new Error(`${path} is a folder`);
    if (isLinkOutOfProject(path))
      throw new Error(`${path} is a link out of the project, so Assay does not write through it`);
    if (stats === undefined) this.file = new DraftFile(path);
    else this.file = stats.isFile() ? new DraftFile(realpathSync(path)) : new DeviceFile(path);
    if (openReports.size === 0) process.once('exit', discardReports);
    openReports.add(this);
  }

  write(text: string): void {
    this.waiting += text;
    if (this.waiting.length >= BUFFERED_CHARACTERS) this.flush();
  }

  /** The report is complete. */
  commit(): void {
    this.flush();
    this.close();
    this.file.commit();
  }

  /** Removes the draft: there is no report. */
  discard(): void {
    if (!this.isOpen) return;
    this.close();
    this.file.discard();
  }

  private close(): void {
    this.isOpen = false;
    openReports.delete(this);
    if (openReports.size === 0) process.off('exit', discardReports);
  }

  /** In pieces: otherwise the bytes of a record of many megabytes would be in memory beside its text. */
  private flush(): void {
    const text = this.waiting;
    this.waiting = '';
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = Math.min(text.length, start + BUFFERED_CHARACTERS);
      if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end--;
      this.file.write(text.slice(start, end));
    }
  }
}

/** One listener for all of them: Node warns about more than ten. */
const openReports = new Set<ReportFile>();

function discardReports(): void {
  for (const report of openReports) report.discard();
}

/** What is written to a device or a pipe cannot be taken back. */
class DeviceFile {
  private readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, 'w');
  }

  write(text: string | Uint8Array): void {
    writeAll(this.file, text);
  }

  commit(): void {
    closeSync(this.file);
  }

  discard(): void {
    closeSync(this.file);
  }
}
