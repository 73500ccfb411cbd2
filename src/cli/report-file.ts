import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DraftFile, removeLeftDrafts } from '../base/files/draft-file.ts';
import { makeFolder } from '../base/files/make-folder.ts';
import { findProjectRoot, isLinkOutOfProject } from '../suites/load/project-root.ts';
import { DeviceFile } from './device-file.ts';

const BUFFERED_CHARACTERS = 64 * 1024;

/**
 * A report on its way to its file. It is written beside the file and replaces it at the end, so nobody ever reads
 * half a report, and a run that is cut off leaves the earlier report. A device or a pipe is written to directly.
 */
export class ReportFile {
  private readonly file: DraftFile | DeviceFile;
  private waiting = '';
  private isOpen = true;

  constructor(path: string, signal?: AbortSignal) {
    makeFolder(dirname(path), { root: findProjectRoot(process.cwd()) });
    removeLeftDrafts(path);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw new Error(`${path} is a folder`);
    if (isLinkOutOfProject(path))
      throw new Error(`${path} is a link out of the project, so Assay does not write through it`);
    if (stats === undefined) this.file = new DraftFile(path);
    else this.file = stats.isFile() ? new DraftFile(realpathSync(path)) : new DeviceFile(path, signal);
    if (openReports.size === 0) process.once('exit', discardReports);
    openReports.add(this);
  }

  write(text: string): void | Promise<void> {
    this.waiting += text;
    if (this.waiting.length >= BUFFERED_CHARACTERS) return this.flush();
  }

  /** The report is complete. */
  async commit(): Promise<void> {
    this.flush();
    await this.file.commit();
    this.close();
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
  private flush(): void | Promise<void> {
    const text = this.waiting;
    this.waiting = '';
    let written: void | Promise<void> = undefined;
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = Math.min(text.length, start + BUFFERED_CHARACTERS);
      if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end--;
      written = this.file.write(text.slice(start, end));
    }
    return written;
  }
}

/** One listener for all of them: Node warns about more than ten. */
const openReports = new Set<ReportFile>();

function discardReports(): void {
  for (const report of openReports) report.discard();
}
