import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { findScript } from './find-script.ts';
import { isFile } from './references.ts';

/** `paths` and `baseUrl` of a tsconfig.json, and the folder that they are relative to. */
interface Aliases {
  /** The files that say so, each with its time. */
  readonly files: readonly (readonly [path: string, savedMs: number])[];
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly base: string | undefined;
}

const NAMES = ['tsconfig.json', 'jsconfig.json'];
/** Of `extends`. */
const MOST_PARENTS = 5;

/** The files that a name means by an alias of the nearest tsconfig.json: `@/prompts` for `src/prompts.ts`. */
export function findAliased(name: string, from: string): readonly string[] {
  const file = nearestConfig(from);
  return file === undefined ? [] : findIn(aliasesOf(file), name);
}

/** The nearest tsconfig.json, with those that it extends: they decide what JSX becomes. */
export function configsFor(from: string): readonly string[] {
  const file = nearestConfig(from);
  return file === undefined ? [] : aliasesOf(file).files.map(([path]) => path);
}

function nearestConfig(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = NAMES.map((each) => join(folder, each)).find(isFile);
    if (file !== undefined || folder === dirname(folder)) return file;
  }
}

function findIn({ paths, base }: Aliases, name: string): readonly string[] {
  const found = [...paths].flatMap(([pattern, places]) => {
    const [start = '', end] = pattern.split('*');
    if (end === undefined ? name !== pattern : !name.startsWith(start) || !name.endsWith(end)) return [];
    const rest = end === undefined ? '' : name.slice(start.length, name.length - end.length);
    return places.flatMap((place) => findScript(place.replace('*', rest)));
  });
  return found.length > 0 || base === undefined ? found : findScript(resolve(base, name));
}

/** Every file with code asks for it. */
const known = new Map<string, Aliases>();

function aliasesOf(file: string): Aliases {
  const before = known.get(file);
  if (before?.files.every(([path, savedMs]) => savedAt(path) === savedMs) === true) return before;
  const aliases = readAliases(file);
  known.set(file, aliases);
  return aliases;
}

function savedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function readAliases(file: string, depth = 0): Aliases {
  const config = readConfig(file);
  const options = objectAt(config, 'compilerOptions');
  const folder = dirname(file);
  const [baseUrl] = textsIn(options['baseUrl']);
  const base = baseUrl === undefined ? undefined : resolve(folder, baseUrl);
  const inherited = textsIn(config['extends'])
    .filter((parent) => parent.startsWith('.') && depth < MOST_PARENTS)
    .flatMap((parent) => [resolve(folder, parent), resolve(folder, `${parent}.json`)].filter(isFile))
    .map((parent) => readAliases(parent, depth + 1));
  const own = Object.entries(objectAt(options, 'paths')).map(
    ([pattern, places]) => [pattern, textsIn(places).map((place) => resolve(base ?? folder, place))] as const,
  );
  return {
    files: [[file, savedAt(file)], ...inherited.flatMap((parent) => parent.files)],
    paths: new Map([...inherited.flatMap((parent) => [...parent.paths]), ...own]),
    base: base ?? inherited.find((parent) => parent.base !== undefined)?.base,
  };
}

/** With comments and commas at the end, as TypeScript reads it. Empty if it cannot be read. */
function readConfig(file: string): JsonObject {
  try {
    const text = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll(
        /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g,
        (_all, quoted: string | undefined) => quoted ?? '',
      )
      .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, quoted: string | undefined) => quoted ?? '');
    const config = JSON.parse(text) as Json;
    return isJsonObject(config) ? config : {};
  } catch {
    return {};
  }
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const inner = value[key];
  return isJsonObject(inner) ? inner : {};
}

/** A text, or those of a list. */
function textsIn(value: Json | undefined): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}
