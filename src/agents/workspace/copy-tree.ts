import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../base/files/is-inside.ts';
import { runSoon } from '../../base/system/system-time.ts';

/** More than this is a mistake, such as a template that is a whole home folder. */
export interface TreeLimits {
  readonly files: number;
  readonly bytes: number;
}

export const TEMPLATE_LIMITS: TreeLimits = { files: 200_000, bytes: 4 * 1024 ** 3 };

interface CopyOptions {
  /** Paths from the root of the tree, with `/`. */
  readonly leaveOut?: ((path: string) => boolean) | undefined;
  /** Undefined: the tree was checked before. */
  readonly limits?: TreeLimits | undefined;
  /** Called when the thread was busy for a while. Throws to stop. */
  readonly check?: (() => void) | undefined;
}

/** A tree that cannot be copied, with the path of what is wrong. */
export class TreeError extends Error {}

/** How many files are copied before other attempts get the thread. */
const BATCH = 100;

/**
 * Copies a tree of files, folders and links, as clones where the file system has them. No link in the copy leads out of it, and it
 * shares no file with the tree: hard links become files.
 */
export async function copyTree(from: string, to: string, options: CopyOptions = {}): Promise<void> {
  const { leaveOut, limits, check } = options;
  const root = realpathSync(from);
  const folders = [''];
  let [files, bytes, sinceTurn] = [0, 0, 0];
  mkdirSync(to, { recursive: true });
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (leaveOut?.(path) === true) continue;
      const [source, target] = [join(root, path), join(to, path)];
      if (entry.isDirectory()) {
        mkdirSync(target);
        folders.push(path);
      } else if (entry.isFile()) {
        if (limits !== undefined) bytes += lstatSync(source).size;
        if (limits !== undefined && bytes > limits.bytes)
          throw tooLarge(from, path, `${limits.bytes / 1024 ** 3} GB`);
        copyFileSync(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
      } else if (entry.isSymbolicLink()) copyLink({ source, target, path, root });
      else throw new TreeError(`${path} is neither a file nor a folder nor a link`);
      if (limits !== undefined && ++files > limits.files) throw tooLarge(from, path, `${limits.files} files`);
      if (++sinceTurn < BATCH) continue;
      sinceTurn = 0;
      await new Promise<void>((turn) => runSoon(turn));
      check?.();
    }
  }
}

function tooLarge(from: string, path: string, most: string): TreeError {
  return new TreeError(
    `${from} has more than ${most} (at ${path}): name a smaller folder, or use \`exclude\``,
  );
}

/** A link must lead to something inside, by a relative way: the copy is elsewhere. */
function copyLink(link: { source: string; target: string; path: string; root: string }): void {
  const { source, target, path, root } = link;
  const goal = readlinkSync(source);
  const end = resolve(dirname(source), goal);
  if (isAbsolute(goal) || !isInside(end, root) || !isInside(goalOf(end), root))
    throw new TreeError(
      `the link ${path} leads out of the template (to ${goal}): copy what it leads to, or use \`exclude\``,
    );
  symlinkSync(goal, target);
}

function goalOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP')
      throw new TreeError(`the link ${path} leads to itself`);
    return path;
  }
}
