import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { convertHint } from '../convert/convert-hint.ts';
import { looksLikeSuite, type FileHead } from '../formats/looks-like-suite.ts';
import type { Finding } from '../../base/model/finding.ts';
import { CONFIG_NAMES, TARGETS_NAMES } from './config-names.ts';
import { PROMPTFOO_NAME } from './foreign-files.ts';
import { findProjectRoot, rootForSuite } from './project-root.ts';
import { fileFinding } from './read-suite-file.ts';
import { sidecarPath } from './sidecars.ts';

/** Files that a search did not read although they look like a suite or a config. */
export function notReadFindings(passedOver: readonly string[], files: readonly string[]): readonly Finding[] {
  return [
    ...suitesNotRead(passedOver, files),
    ...(files.length === 0 ? foreignNotRead(passedOver) : []),
    ...configsNotRead(files),
  ];
}

/** Names that only other tools give to their files. */
const FOREIGN_NAMES = [
  { pattern: /\.evalset\.json$/i, title: 'an eval set of ADK' },
  { pattern: PROMPTFOO_NAME, title: 'a promptfoo config' },
];

/** Where there is nothing else to run, the files of another tool may be what is meant. */
function foreignNotRead(passedOver: readonly string[]): readonly Finding[] {
  return passedOver.slice(0, MOST_FILES).flatMap((path) => {
    const found = FOREIGN_NAMES.find(({ pattern }) => pattern.test(basename(path)));
    if (found === undefined) return [];
    const message = `this is named like ${found.title}, which Assay does not run`;
    return [
      { ...fileFinding(path, 'foreign_format', message, convertHint(path)), severity: 'warning' as const },
    ];
  });
}

/** The limits on files and bytes: a project may contain any amount of data. */
const MOST_FILES = 1000;
const HEAD_BYTES = 16 * 1024;
const MOST_NAMED = 5;

function suitesNotRead(passedOver: readonly string[], files: readonly string[]): readonly Finding[] {
  const looking = passedOver.slice(0, MOST_FILES).filter((path) => {
    const head = readHead(path);
    return head !== undefined && looksLikeSuite(head);
  });
  const found = looking.length === 0 ? [] : notNamedIn(files, looking);
  const [first, ...others] = found;
  if (first === undefined) return [];
  const named = others
    .slice(0, MOST_NAMED - 1)
    .map((path) => `, ${path}`)
    .join('');
  const more = others.length >= MOST_NAMED ? ` and ${others.length - MOST_NAMED + 1} more` : '';
  const message =
    others.length === 0
      ? 'this file looks like a suite but was not read, because it is not named like one'
      : `${found.length} files look like suites but were not read, because of their names: ${first}${named}${more}`;
  const hint = `name them on the command line, or rename them, for example ${suggestName(basename(first))}`;
  return [
    {
      ...fileFinding(
        first,
        'suite_not_read',
        message,
        others.length === 0 ? hint.replaceAll('them', 'it') : hint,
      ),
      severity: 'warning',
    },
  ];
}

/** A suite may name a file, for its rows. */
function notNamedIn(files: readonly string[], paths: readonly string[]): readonly string[] {
  const texts = files.slice(0, MOST_FILES).map((file) => readHead(file)?.text ?? '');
  return paths.filter((path) => !texts.some((text) => text.includes(basename(path))));
}

/** `orders.jsonl` could become `orders.eval.jsonl`. */
function suggestName(name: string): string {
  const [, stem, extension] = /^(.*?)(?:\.(?:tests?|evals?|spec))?\.(\w+)$/i.exec(name) ?? [
    name,
    name,
    'yaml',
  ];
  return `${stem}.eval.${/ndjson/i.test(extension!) ? 'jsonl' : extension}`;
}

/** Only regular files, and without blocking. */
function readHead(path: string): FileHead | undefined {
  let file: number | undefined;
  try {
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, 'r');
    const buffer = Buffer.alloc(HEAD_BYTES + 1);
    const length = readSync(file, buffer, 0, buffer.length, 0);
    const text = buffer.toString('utf8', 0, Math.min(length, HEAD_BYTES));
    return { path, text, isWhole: length <= HEAD_BYTES, hasSidecar: existsSync(sidecarPath(path)) };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Names that are not searched for. Those of the second kind are common words, so the keys in the file decide. */
const STRANGE_NAMES = /^(?:assay\.config\.(?:jsonc|json5|toml|cjs|cts)|agentv\.config\.\w+)$/i;
const COMMON_NAMES = /^(?:assay\.(?:ya?ml|jsonc?|toml)|\.assayrc(?:\.\w+)?|targets\.json)$/i;
const CONFIG_KEYS = /^\s*(?:\{\s*)?\[*["']?(?:targets|judge|agent)\b["']?\]*\s*[:=\n]/m;

function configsNotRead(files: readonly string[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const folder of [...configFolders(files)].sort()) {
    for (const known of [CONFIG_NAMES, TARGETS_NAMES]) {
      const [used, ...later] = known.filter((name) => existsSync(join(folder, name)));
      for (const name of later) findings.push(configNotRead(relative('.', join(folder, name)), used));
    }
    for (const name of namesIn(folder)) {
      if (!STRANGE_NAMES.test(name) && !COMMON_NAMES.test(name)) continue;
      const path = relative('.', join(folder, name));
      const isStrange = STRANGE_NAMES.test(name) || CONFIG_KEYS.test(readHead(path)?.text ?? '');
      if (isStrange) findings.push(configNotRead(path, undefined));
    }
  }
  return findings;
}

function configNotRead(path: string, used: string | undefined): Finding {
  const message = `this file looks like a config but is not read, because ${used === undefined ? 'of its name' : `${used} next to it is`}`;
  return { ...fileFinding(path, 'config_not_read', message, configHint(path, used)), severity: 'warning' };
}

function configHint(path: string, used: string | undefined): string {
  if (used !== undefined) return 'keep one of them';
  if (/\.json$/i.test(path)) return 'rename it to assay.config.json';
  return 'the names are assay.config.ts, .mts, .js, .mjs, .yaml, .yml and .json';
}

/** The folders in which a config of these files is searched: from theirs up to the root of the project. */
function configFolders(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  const projectRoot = findProjectRoot(process.cwd());
  const starts = new Set(files.length === 0 ? ['.'] : files.map((file) => dirname(file)));
  for (const start of [...starts].map((folder) => resolve(folder))) {
    const root = resolve(rootForSuite(join(start, 'x'), projectRoot));
    for (let folder = start; !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
      if (folder === root || folder === dirname(folder)) break;
    }
  }
  return folders;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
