import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { JsonObject } from '../../base/model/json.ts';
import type { RecordingFormat, RecordingProblem } from '../../evidence/recordings/recording.ts';
import { RECORDING_FORMATS } from '../../evidence/recordings/registry.ts';
import { readValues } from './read-values.ts';

/** Files that are one recording: the main one, and those of its sub-agents. */
export interface RecordingGroup {
  readonly format: RecordingFormat;
  readonly file: string;
  readonly parts: readonly string[];
}

interface Recognised {
  readonly file: string;
  readonly format: RecordingFormat;
  readonly key?: string | undefined;
  readonly partOf?: string | undefined;
}

type Report = (file: string, problem: RecordingProblem) => void;

/** All files below folders that may be recordings. A file that was named is one, whatever its name. */
export function listFiles(paths: readonly string[], report: Report): readonly string[] {
  return paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      report(path, {
        code: 'unreadable',
        message: `the file "${path}" does not exist`,
        hint: 'check the path',
        line: 1,
      });
      return [];
    }
    return stats.isDirectory() ? filesBelow(path) : [path];
  });
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    // Links are not followed: they may lead in a circle.
    if (entry.isDirectory())
      return entry.name === 'tool-results' || entry.name === 'node_modules' ? [] : filesBelow(path);
    return entry.isFile() && LOGS.test(entry.name) ? [path] : [];
  });
}

const LOGS = /\.(json|jsonl|ndjson|eval)(\.gz|\.zst)?$/;

export async function groupFiles(
  files: readonly string[],
  {
    from,
    isNamed,
    report,
  }: {
    readonly from?: RecordingFormat | undefined;
    readonly isNamed: (file: string) => boolean;
    readonly report: Report;
  },
): Promise<readonly RecordingGroup[]> {
  const found: Recognised[] = [];
  for (const file of files) {
    const { values, unreadable } = await firstValues(file);
    const format = from ?? RECORDING_FORMATS.find((each) => values.length > 0 && each.recognises(values));
    if (format !== undefined) found.push({ file, format, ...format.link?.(values) });
    else if (unreadable !== undefined) report(file, unreadable);
    else if (isNamed(file)) report(file, unknownFormat(values));
    else
      report(file, {
        code: 'other_file',
        message: 'not a recording that Assay recognises, so it is left out',
        line: 1,
      });
  }
  return joinParts(found, report);
}

/** A part without its recording is a recording of its own. */
function joinParts(found: readonly Recognised[], report: Report): readonly RecordingGroup[] {
  const first = new Map<RecordingFormat, Recognised>();
  for (const each of found)
    if (each.format.isTogether === true && !first.has(each.format)) first.set(each.format, each);
  const byKey = new Map(found.flatMap((each) => (each.key === undefined ? [] : [[each.key, each] as const])));
  const rootOf = (each: Recognised): Recognised => {
    const together = first.get(each.format);
    if (together !== undefined) return together;
    const seen = new Set<Recognised>();
    let root = each;
    while (root.partOf !== undefined && byKey.has(root.partOf) && !seen.has(root)) {
      seen.add(root);
      root = byKey.get(root.partOf)!;
    }
    return seen.has(root) ? each : root;
  };
  const parts = new Map<Recognised, string[]>();
  for (const each of found) {
    const root = rootOf(each);
    const own = parts.get(root) ?? [];
    parts.set(root, own);
    if (root !== each) own.push(each.file);
    else if (each.partOf !== undefined)
      report(each.file, {
        code: 'missing_recording',
        message:
          'this is a sub-agent of a session that is not among the files, so it is imported as its own recording',
        hint: 'import the whole folder of the session',
        line: 1,
      });
  }
  return [...parts].map(([{ file, format }, own]) => ({ format, file, parts: own }));
}

function unknownFormat(values: readonly JsonObject[]): RecordingProblem {
  const [first] = values;
  const names = RECORDING_FORMATS.map(({ name }) => name).join(', ');
  const has =
    first === undefined
      ? 'it has no JSON object'
      : `it has the fields ${Object.keys(first).slice(0, 8).join(', ')}`;
  return {
    code: 'unknown_recording',
    message: `not a recording that Assay recognises: ${has}`,
    hint: `specify the format with --from: ${names}`,
    line: 1,
  };
}

const SAMPLE = 20;

/** `unreadable`: why there are no values, if the file cannot be read. */
async function firstValues(file: string) {
  const values: JsonObject[] = [];
  let unreadable: RecordingProblem | undefined;
  const note = (problem: RecordingProblem): void => {
    if (problem.code === 'unreadable' || problem.code === 'not_a_file') unreadable = problem;
  };
  for await (const batch of readValues(file, note)) {
    for (const { value } of batch.slice(0, SAMPLE)) values.push(value);
    if (values.length > 0) break;
  }
  return { values, unreadable };
}

export function nameOf(file: string): string {
  const name = basename(file).replace(/\.(gz|zst)$/, '');
  return name.slice(0, name.length - extname(name).length);
}
