import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { relative, sep } from 'node:path';
import type { CleanText } from '../../base/match/clean-text.ts';
import { withoutToday } from './today.ts';

interface OwnPlaces {
  readonly projectRoot: string;
  /** Of the cassettes. */
  readonly folder: string;
}

/**
 * Prompts of coding agents hold where they work and what is there. Neither may change a request: another checkout of the project
 * replays the same cassettes, and what Assay writes beside it, a run and the cassettes, is not a change of the project.
 */
export function createPlaceText({ projectRoot, folder }: OwnPlaces): CleanText {
  const places = [
    ...namesOf(projectRoot, '{project}'),
    ...namesOf(homedir(), '{home}'),
    ...namesOf(tmpdir(), '{tmp}'),
    // A prompt that names it by hand means the same on every machine.
    ['/tmp', '{tmp}'] as const,
  ].sort(([one], [other]) => other.length - one.length);
  const replacements = [
    ...places.map(([path, name]) => [pathPattern(path), name] as const),
    // Claude Code and others name a folder after the project.
    [new RegExp(`(?<=/)${escape(projectRoot.replace(/[^a-zA-Z0-9]/g, '-'))}(?![\\w-])`, 'g'), '{project}'],
    [/\b\d{8}T\d{6}-\d{3}-[0-9a-f]{8}\b/g, '{run}'],
    [/\bassay-[0-9a-f]{18}\b/g, '{file}'],
    // What shells of coding agents write about a command, beside what it printed.
    [
      /^((?:Process Group PGID|Background PIDs|Chunk ID|Wall time|Process running with session ID)\b).*$/gm,
      '$1',
    ],
  ] as const;
  const own = new Set(['.assay', ...folderName(relative(projectRoot, folder))]);
  return (text) =>
    withoutListed(
      replacements.reduce((changed, [pattern, name]) => changed.replace(pattern, name), withoutToday(text)),
      own,
    );
}

/** A folder has another name where it is a link, as temporary folders on a Mac are. */
function namesOf(path: string, name: string): readonly (readonly [string, string])[] {
  const names = new Set([path, realName(path)].map((each) => each.replace(/[\\/]+$/, '')));
  // A root names nothing.
  return [...names].filter((each) => each.length > 3).map((each) => [each, name] as const);
}

function realName(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** A whole path, or the start of a longer one. */
function pathPattern(path: string): RegExp {
  return new RegExp(`(?<![\\w.~-])${escape(path)}(?![\\w-]|\\.\\w)`, 'g');
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** None if it is not a part of the project. */
function folderName(path: string): readonly string[] {
  const parts = path.split(sep);
  return parts[0] === '..' || path === '' ? [] : [parts.at(-1)!];
}

const BRANCH = /^([\s│]*)[├└]─*\s?(.*)$/;

/** Leaves these folders out of listings. A tree is drawn so that it does not show which entry is the last one. */
function withoutListed(text: string, own: ReadonlySet<string>): string {
  const isTree = text.includes('─');
  if (!isTree && ![...own].some((name) => text.includes(name))) return text;
  const isOwn = (entry: string): boolean =>
    !/\s/.test(entry) && own.has(entry.replace(/^\.\//, '').split('/')[0]!);
  let hidden: number | undefined;
  const kept = text.split('\n').flatMap((line) => {
    const [, indent, entry] = (isTree ? BRANCH.exec(line) : null) ?? [];
    if (indent === undefined || entry === undefined) {
      hidden = undefined;
      return isOwn(line) ? [] : [line];
    }
    if (hidden !== undefined && indent.length > hidden) return [];
    hidden = isOwn(entry) ? indent.length : undefined;
    return hidden === undefined ? [`${' '.repeat(indent.length)}├─ ${entry}`] : [];
  });
  return kept.join('\n');
}
