import {
  constants,
  copyFileSync,
  readlinkSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../base/files/is-inside.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { globMatcher } from '../../base/match/glob.ts';
import { decodeUtf8 } from '../../base/match/decode-utf8.ts';
import type { FileChange } from '../../base/model/workspace.ts';
import { runProcess, type ProcessResult } from '../processes/run-process.ts';
import { diffTrees } from './git.ts';
import { changesBetween, isSame, readManifest, type Manifest, type TreeChange } from './manifest.ts';
import type { WorkspaceWarning } from './open-workspace.ts';
import { ensureFolder, removeTree } from './workspace-store.ts';

interface Before {
  readonly folder: string;
  readonly manifest: Manifest;
}

interface TreeOptions {
  readonly folder: string;
  /** A folder of the workspace that the agent does not get. */
  readonly scratch: string;
  readonly before: Before;
  readonly protect: readonly string[];
  startCheck(
    argv: readonly string[],
  ): Promise<{ readonly argv: readonly string[]; readonly env: NodeJS.ProcessEnv }>;
}

export interface TreeDiff {
  readonly total: number;
  /** The first of them, with their lines. */
  readonly files: readonly FileChange[];
  readonly text?: string | undefined;
  readonly cut?: string | undefined;
  /** There may be more changes than these. */
  readonly isPartial?: boolean | undefined;
}

const MOST_READ = 16 * 1024 ** 2;
const MOST_LISTED = 1000;

/** The files of a workspace, as evaluators see them after the agent has worked. */
export class WorkTree {
  private readonly options: TreeOptions;
  private now: Promise<Manifest> | undefined;
  private made: Promise<TreeDiff> | undefined;
  private readonly restored = new Set<string>();
  private isChecked = false;
  private reads: Promise<unknown>[] = [];
  private lastRun: Promise<unknown> = Promise.resolve();

  constructor(options: TreeOptions) {
    this.options = options;
  }

  /** The agent works again: what is known of its files is not true any more. */
  touch(): void {
    this.now = undefined;
    this.made = undefined;
    this.reads = [];
  }

  /** Undefined if nothing was changed. */
  protectedChanges(): readonly string[] | undefined {
    return this.restored.size === 0 ? undefined : [...this.restored].toSorted();
  }

  /** Nothing of the workspace may be read or run in a place that the agent put in its stead. */
  ensure(): readonly WorkspaceWarning[] {
    if (!ensureFolder(this.options.folder)) return [];
    this.touch();
    return [{ code: 'workspace_deleted', message: 'the agent deleted its workspace' }];
  }

  /** Puts back what is protected. A folder that the agent deleted, or replaced by a link, is made again. */
  async restore(): Promise<readonly WorkspaceWarning[]> {
    const { before, protect } = this.options;
    const warnings = [...this.ensure()];
    this.touch();
    if (protect.length === 0) return warnings;
    const isProtected = globMatcher(protect);
    const now = await this.wholeManifest();
    const changed = changesBetween(before.manifest, now).filter(({ path }) => isProtected(path));
    if (!this.isChecked) warnings.push(...this.uselessGlobs(now));
    this.isChecked = true;
    for (const each of changed) this.putBack(each);
    if (changed.length === 0) return warnings;
    this.touch();
    for (const { path } of changed) this.restored.add(path);
    const names = changed.map(({ path, change }) => `${path} (${change})`);
    warnings.push({
      code: 'protected_changed',
      message: `the agent changed protected files, which were restored: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`,
    });
    return warnings;
  }

  /** A name that is written in another way protects nothing. */
  private uselessGlobs(now: Manifest): readonly WorkspaceWarning[] {
    const { before, protect } = this.options;
    const paths = [...before.manifest.files.keys(), ...now.files.keys()];
    const useless = protect.filter((glob) => !paths.some(globMatcher([glob])));
    if (useless.length === 0) return [];
    const globs = useless.map((glob) => `\`${glob}\``).join(', ');
    return [
      { code: 'nothing_protected', message: `no file of the workspace matches ${globs} of \`protect\`` },
    ];
  }

  private putBack({ path, change }: TreeChange): void {
    const { folder, before } = this.options;
    const [source, target] = [join(before.folder, path), join(folder, path)];
    this.makeParents(path);
    removeTree(target);
    if (change === 'added') return;
    const { kind, hash } = before.manifest.files.get(path)!;
    if (kind === 'link') return symlinkSync(readlinkSync(source), target);
    if (hash.length === 64 && hashFile(source) !== hash)
      throw new Error(`the template of the workspace was changed during the run (${path})`);
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }

  /** No folder above a path may be a link: it could lead anywhere. */
  private makeParents(path: string): void {
    let folder = this.options.folder;
    for (const part of dirname(path) === '.' ? [] : dirname(path).split('/')) {
      folder = join(folder, part);
      ensureFolder(folder);
    }
  }

  private manifest(): Promise<Manifest> {
    return (this.now ??= readManifest(this.options.folder));
  }

  /** Rejects if an agent hid a part: nothing can be said of what is not there. */
  private async wholeManifest(): Promise<Manifest> {
    const manifest = await this.manifest();
    if (manifest.unread !== undefined) throw new Error(manifest.unread);
    return manifest;
  }

  async paths(): Promise<readonly string[]> {
    return [...(await this.wholeManifest()).files.keys()].toSorted();
  }

  /** Whether a file is as it was in the template. */
  async isUnchanged(path: string): Promise<boolean> {
    const [was, is] = [this.options.before.manifest.files.get(path), (await this.manifest()).files.get(path)];
    return was === undefined || is === undefined ? was === is : isSame(was, is);
  }

  /** The paths of the template. */
  pathsBefore(): readonly string[] {
    return [...this.options.before.manifest.files.keys()].toSorted();
  }

  /** Text of a file. A link is followed only inside of the workspace. Rejects with the reason. */
  readText(path: string): Promise<string> {
    const read = Promise.resolve().then(() => {
      const file = realpathSync(join(this.options.folder, path));
      if (!isInside(file, realpathSync(this.options.folder)))
        throw new Error(`${path} is a link out of the workspace`);
      const stats = statSync(file);
      if (!stats.isFile()) throw new Error(`${path} is not a file`);
      if (stats.size > MOST_READ) throw new Error(`${path} is larger than ${MOST_READ / 1024 ** 2} MB`);
      const decoded = decodeUtf8(readFileSync(file));
      if ('text' in decoded) return decoded.text;
      throw new Error(`${path} is not valid UTF-8 text`);
    });
    this.reads.push(read.catch(() => {}));
    return read;
  }

  /** What differs from the template. */
  diff(): Promise<TreeDiff> {
    return (this.made ??= this.makeDiff());
  }

  private async makeDiff(): Promise<TreeDiff> {
    const { before, folder, scratch } = this.options;
    const now = await this.manifest();
    const changes = changesBetween(before.manifest, now);
    if (changes.length === 0) return { total: 0, files: [] };
    const listed = changes.slice(0, MOST_LISTED);
    try {
      const { text, lines, cut } = await diffTrees(
        { before: before.folder, after: folder, scratch },
        changes,
        new AbortController().signal,
      );
      return {
        total: changes.length,
        files: listed.map(({ path, change }) => {
          const { added, deleted } = lines.get(path) ?? {};
          return { path, change, lines_added: added, lines_deleted: deleted };
        }),
        text,
        cut: cut ?? now.unread,
        isPartial: now.unread !== undefined,
      };
    } catch (error) {
      const cut = now.unread ?? (error as Error).message;
      return { total: changes.length, files: listed, cut, isPartial: now.unread !== undefined };
    }
  }

  /** Runs a program in the workspace, one after the other, when other evaluators have read what they need. */
  run(
    argv: readonly string[],
    {
      timeoutMs,
      signal,
      stdin = '',
    }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly stdin?: string },
  ): Promise<ProcessResult> {
    const running = this.lastRun.then(async () => {
      // It may change files: what the agent did is written down before.
      await this.diff();
      await Promise.all(this.reads);
      const started = await this.options.startCheck(argv);
      return runProcess(started.argv, {
        cwd: this.options.folder,
        env: started.env,
        isExactEnv: true,
        input: stdin,
        signal,
        timeoutMs,
      });
    });
    this.lastRun = running.catch(() => {});
    return running;
  }
}
