import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { Place } from '../../../base/model/place.ts';
import type { Test } from '../../../base/model/test.ts';
import { Reader } from '../../../base/schema/reader.ts';
import { describe, wrongType } from '../../../base/schema/values.ts';
import { openLines } from '../dataset.ts';
import { parseDocument } from '../document.ts';
import { extname } from '../path-names.ts';
import { isWrittenForAgentv } from './recognise-agentv.ts';

/** A file with cases for a suite. */
export interface CaseFile {
  readonly path: string;
  readonly text: string;
  /** The file is one case of a folder of cases, with this id unless it says another. */
  readonly id?: string;
  /** There is a workspace beside it. */
  readonly hasWorkspace?: boolean;
}

interface Unopened {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Opens the files that `tests` and `prompts` name. */
export interface CaseFiles {
  /** The files that a path, a folder or a glob stands for, in order. `from`: the file that names it. */
  open(reference: string, from: string): { readonly files: readonly CaseFile[] } | Unopened;
}

/** A case as its author wrote it, and the reader at its place. */
export interface PlacedCase {
  readonly value: Json;
  readonly reader: Reader;
  /** The line where the next one starts, if it is known. */
  readonly end: () => number;
  /** For a case in another file: where the suite names it, and the line after that. */
  readonly reference?: { readonly place: Place; readonly end: () => number };
}

interface Expansion {
  readonly kinds: AssertionKinds;
  readonly files: CaseFiles | undefined;
  /** The files that led here: one of them again would never end. */
  readonly chain: readonly string[];
}

/** The cases of a list, at the reader. A text in it names files with more of them. */
export function* expandCases(cases: Json, reader: Reader, expansion: Expansion): Generator<PlacedCase> {
  if (typeof cases === 'string') {
    yield* expandReference(cases, reader, { ...expansion, end: () => Infinity });
    return;
  }
  if (!isJsonList(cases)) return;
  for (const [index, value] of cases.entries()) {
    const end = (): number => {
      const next = [...reader.path.slice(0, -1), index + 1];
      return index + 1 < cases.length ? reader.source.locate(next, 'value').line : Infinity;
    };
    reader.enter(index);
    if (isReference(value)) yield* expandReference(value, reader, { ...expansion, end });
    else yield { value, reader, end };
    reader.leave();
  }
}

/** In a list of cases, a text is a path if it looks like one. */
export function isReference(value: Json): value is string {
  return typeof value === 'string' && /^file:|[./\\*]/.test(value);
}

function* expandReference(
  reference: string,
  reader: Reader,
  { kinds, files, chain, end }: Expansion & { readonly end: () => number },
): Generator<PlacedCase> {
  // The outermost reference is the one in the suite.
  const named = { place: reader.place(), end };
  const from = chain.at(-1)!;
  const opened = files?.open(reference, from) ?? NOT_OPENED;
  if (!('files' in opened)) {
    reader.error(opened);
    return;
  }
  for (const file of opened.files) {
    if (chain.includes(file.path)) {
      const way = [...chain.slice(chain.indexOf(file.path)), file.path].join(' → ');
      reader.error({
        code: 'case_file_cycle',
        message: `these files name each other, so the cases never end: ${way}`,
        hint: 'remove one of the references',
      });
    } else
      for (const placed of readCaseFile(file, reader, { kinds, files, chain: [...chain, file.path] }))
        yield { ...placed, reference: named };
  }
}

const NOT_OPENED: Unopened = {
  code: 'case_file',
  message: 'the cases are in another file, which can only be read together with the suite',
  hint: 'load the suite from its file',
};

function* readCaseFile(file: CaseFile, suite: Reader, expansion: Expansion): Generator<PlacedCase> {
  if (extname(file.path).toLowerCase() === '.jsonl') {
    yield* openLines(file, suite, expansion.kinds);
    return;
  }
  const document = parseDocument(file.path, file.text, 'core');
  suite.findings.push(...document.findings);
  suite.errorCount += document.findings.filter(({ severity }) => severity === 'error').length;
  if (!('source' in document)) return;
  const reader = new Reader(document.source);
  const { value } = document;
  reader.isAgentv = suite.isAgentv || isWrittenForAgentv(value, expansion.kinds);
  if (file.id !== undefined) yield* oneCase(value, reader, file);
  else yield* expandCases(caseList(value, reader), reader, expansion);
  suite.add(reader);
}

/** A list of cases; or an object that has only such a list. */
function caseList(value: Json, reader: Reader): Json {
  if (isJsonList(value)) return value;
  const [name, ...others] = isJsonObject(value) ? Object.keys(value) : [];
  if (name !== undefined && others.length === 0 && ['tests', 'cases', 'evalcases'].includes(name)) {
    reader.enter(name);
    return (value as JsonObject)[name]!;
  }
  reader.error({
    code: 'case_file',
    message: `a file of cases must contain a list of cases, but contains ${describe(value)}`,
    hint: isJsonObject(value)
      ? 'give a whole suite to `assay run` itself'
      : 'write each case as an item of a list',
  });
  return [];
}

function* oneCase(value: Json, reader: Reader, { id, hasWorkspace }: CaseFile): Generator<PlacedCase> {
  if (!isJsonObject(value)) {
    wrongType(value, reader, { wanted: 'an object (an eval case)' });
    return;
  }
  if (hasWorkspace === true)
    reader.unsupported({
      message: 'the folder `workspace` next to a case is not supported',
      hint: 'prepare a folder yourself, and give it to the target as `cwd`',
    });
  const named = ownValue(value, 'id') ?? null;
  yield { value: named === null ? { ...value, id: id! } : value, reader, end: () => Infinity };
}

/** A test from another file is, like a row, found by the place in the suite that names it. */
export function atReference(test: Test, { reference }: PlacedCase): Test {
  if (reference === undefined) return test;
  const { file, line, column } = test.row ?? test.place;
  const { place } = reference;
  const steps = test.steps.map((step) => ({ ...step, place }));
  return { ...test, steps, place, row: { file, line, column, templateEnd: reference.end() } };
}
