import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CsvReader } from '../formats/csv/csv-reader.ts';
import { parseDocument } from '../formats/document.ts';
import { toFinding } from '../formats/finding-at.ts';
import { createLineIndex } from '../formats/line-index.ts';
import { extname } from '../formats/path-names.ts';
import { readJson } from '../formats/read-json.ts';
import type { AgentvRelease, FileRow, RowFiles } from '../formats/templates/row-files.ts';
import type { Dialect } from '../formats/yaml/scalars.ts';
import { isInside } from '../../base/files/is-inside.ts';
import { isJsonList } from '../../base/model/json.ts';
import { createCaseFiles } from './case-files.ts';
import { findFile, type PartContext } from './file-parts.ts';
import { fileFinding, readSuiteFile } from './read-suite-file.ts';
import { readTexts } from './read-texts.ts';

/** The files that the tests of a suite name under `each`. Every one must be inside of the project. */
export function createRowFiles(context: PartContext, opened: Set<string> = new Set()): RowFiles {
  let project: { readonly release: AgentvRelease | undefined } | undefined;
  return {
    cases: createCaseFiles(context.root, opened),
    // Asked for each line of a dataset.
    agentvProject: () => (project ??= { release: agentvProject(context) }).release,
    open(authored, dialect) {
      const path = authored.replace(/^file:\/\//, '');
      const kind = extname(path).toLowerCase();
      if (!KINDS.has(kind)) return { problem: `${path} is not a .csv, .jsonl, .yaml, .yml or .json file` };
      const found = findFile(path, context);
      if (typeof found !== 'string') return found;
      if (statSync(found, { throwIfNoEntry: false })?.isFile() !== true)
        return { problem: `${path} is not a regular file` };
      opened.add(found);
      const beside = join(dirname(context.file), path);
      const file = statSync(beside, { throwIfNoEntry: false }) === undefined ? relative('.', found) : beside;
      if (kind === '.csv') return { file, rows: readCsv(file) };
      return { file, rows: kind === '.jsonl' ? readJsonLines(file) : readDocument(file, dialect) };
    },
  };
}

/** AgentV keeps its settings in `.agentv`, in a folder above the suite. */
function agentvProject({ file, root }: PartContext): AgentvRelease | undefined {
  for (let folder = dirname(resolve(file)); isInside(folder, root); folder = dirname(folder)) {
    const settings = join(folder, '.agentv');
    if (existsSync(settings)) return isOfNewerAgentv(settings) ? 'newer' : 'any';
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

/** Only AgentV 4 and newer have `providers.yaml`, and `grader_target` in their targets. */
function isOfNewerAgentv(settings: string): boolean {
  return ['yaml', 'yml'].some((extension) => {
    const targets = readSuiteFile(join(settings, `targets.${extension}`));
    return (
      existsSync(join(settings, `providers.${extension}`)) ||
      ('text' in targets && /^\s*(?:-\s+)?grader_target\s*:/m.test(targets.text))
    );
  });
}

const KINDS: ReadonlySet<string> = new Set(['.csv', '.jsonl', '.yaml', '.yml', '.json']);

function* readCsv(file: string): Generator<FileRow> {
  const reader = new CsvReader(file);
  for (const piece of readTexts(file)) {
    if (typeof piece === 'string') yield* reader.write(piece);
    else return yield wrong(piece);
  }
  yield* reader.end();
}

function* readJsonLines(file: string): Generator<FileRow> {
  let line = 0;
  let isEmpty = true;
  for (const piece of readTexts(file, { isByLine: true })) {
    if (typeof piece !== 'string') return yield wrong(piece);
    for (const text of piece.split('\n')) {
      line++;
      const body = line === 1 ? text.replace(/^\uFEFF/, '') : text;
      if (/^[ \t\r]*$/.test(body)) continue;
      isEmpty = false;
      const read = readJson(body);
      if ('problem' in read) yield wrong(toFinding(read.problem, file, createLineIndex(body, line)));
      else yield { line, column: 1, values: read.value, findings: [] };
    }
  }
  if (isEmpty) yield wrong(noRows(file));
}

function* readDocument(file: string, dialect: Dialect): Generator<FileRow> {
  const read = readSuiteFile(file);
  if ('finding' in read) return yield wrong(read.finding);
  const document = parseDocument(file, read.text, dialect);
  if (document.findings.length > 0) yield { line: 1, column: 1, findings: document.findings };
  if (!('source' in document)) return;
  const { value, source } = document;
  if (!isJsonList(value)) {
    const message = 'a file of rows must contain a list of objects';
    return yield wrong(fileFinding(file, 'type', message));
  }
  if (value.length === 0) yield wrong(noRows(file));
  for (const [index, values] of value.entries())
    yield { ...source.locate([index], 'value'), values, findings: [] };
}

function noRows(file: string) {
  return fileFinding(file, 'no_rows', 'the file has no rows: there is nothing to run');
}

function wrong(finding: ReturnType<typeof fileFinding>): FileRow {
  return { line: finding.line, column: finding.column, findings: [finding] };
}
