import { parseDocument } from '../../formats/document.ts';
import { readJson } from '../../formats/read-json.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { chosenCheck, hasReference } from '../chosen-check.ts';
import { ConversionLog, locateIn, type Locate } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ConvertOptions, ForeignFile } from '../contract.ts';
import { fieldInEitherCase, otherFieldsInEitherCase } from '../either-case.ts';
import { given, itemsOf, textOf, type ForeignValue } from '../foreign-value.ts';
import { readJsonLines } from '../json-lines.ts';
import { referenceCheck } from '../reference-check.ts';
import { readTable } from '../table.ts';
import { uncheckedCase } from '../unchecked-case.ts';
import { UniqueIds } from '../unique-ids.ts';
import { goldenList } from './recognise-deepeval.ts';
import { readTurns } from './read-turns.ts';

/** Goldens of DeepEval: single questions and conversations. */
export function convertDeepeval(file: ForeignFile, { options }: ConvertContext): Conversion {
  const { goldens, locate, findings } = readGoldens(file);
  const log = new ConversionLog(locate);
  const reading: Reading = { log, options, ids: new UniqueIds(log), cases: [] };
  for (const [index, golden] of goldens.entries()) {
    if (golden === undefined)
      log.comment(['evalcases', reading.cases.length], `not converted: golden ${index + 1}`);
    else readGolden(golden, `#${index + 1}`, reading);
  }
  const settings = chosenCheck(reading.cases, options, log);
  const all = [...findings, ...log.findings];
  if (goldens.length === 0) return { suite: undefined, findings: all };
  return {
    suite: { document: { ...settings, evalcases: reading.cases }, comments: log.comments },
    findings: all,
  };
}

interface Goldens {
  /** Undefined: the row cannot be read. */
  readonly goldens: readonly (ForeignValue | undefined)[];
  readonly locate: Locate;
  readonly findings: Conversion['findings'];
}

function readGoldens(file: ForeignFile): Goldens {
  if (/\.csv$/i.test(file.path)) return readRows(file);
  if (!/\.jsonl$/i.test(file.path)) return readList(file);
  const { values, locate, findings } = readJsonLines(file);
  const goldens = values.map((value, index) => (value === undefined ? undefined : { value, path: [index] }));
  return { goldens, locate, findings };
}

function readList(file: ForeignFile): Goldens {
  const document = parseDocument(file.path, file.text, 'core');
  if (!('source' in document))
    return {
      goldens: [],
      findings: document.findings,
      locate: () => ({ file: file.path, line: 1, column: 1, path: '' }),
    };
  const { value, source, findings } = document;
  const root = isJsonObject(value)
    ? { value: value['goldens'] ?? null, path: ['goldens'] }
    : { value, path: [] };
  return {
    goldens: goldenList(value) === undefined ? [] : itemsOf(root),
    findings,
    locate: locateIn(source),
  };
}

/** Lists in a cell are joined by `|`, and tools are JSON. */
function readRows(file: ForeignFile): Goldens {
  const { rows, locate, findings } = readTable(file);
  const goldens = rows.map(({ values }, index) => {
    if (values === undefined) return undefined;
    const value = Object.fromEntries(
      Object.entries(values).map(([name, cell]) => [name, readCell(name, cell)]),
    );
    return { value, path: [index] };
  });
  return { goldens, locate, findings };
}

function readCell(name: string, cell: Json): Json {
  if (/^(?:retrieval_?)?context$/i.test(name)) return String(cell).split('|');
  if (!/^(?:tools_?called|expected_?tools|additional_?metadata)$/i.test(name)) return cell;
  const read = readJson(String(cell));
  return 'value' in read ? read.value : cell;
}

interface Reading {
  readonly log: ConversionLog;
  readonly options: ConvertOptions;
  readonly ids: UniqueIds;
  readonly cases: JsonObject[];
}

/** What people wrote about a golden, and no agent gets. */
const METADATA = [
  'comments',
  'context',
  'retrieval_context',
  'additional_metadata',
  'custom_column_key_values',
  'source_file',
  'user_description',
];
/** What is read of a question, and of a conversation. */
const OF_QUESTION = [...METADATA, 'name', 'input', 'expected_output', 'expected_tools'];
const OF_CONVERSATION = [...METADATA, 'name', 'scenario', 'turns', 'expected_outcome'];
const WHY: Readonly<Record<string, string>> = {
  actual_output: 'an answer of the past is not part of a test',
  tools_called: 'calls of the past are not part of a test',
  expected_outcome: 'it is read of conversations only',
};

function readGolden(golden: ForeignValue, id: string, reading: Reading): void {
  const { log, cases } = reading;
  const at = ['evalcases', cases.length];
  const isConversation =
    fieldInEitherCase(golden, 'scenario') !== undefined || fieldInEitherCase(golden, 'turns') !== undefined;
  const read = isConversation ? conversationOf(golden, reading) : questionOf(golden, reading);
  if (read === undefined) return;
  const metadata: Record<string, Json> = {};
  for (const name of METADATA) {
    const value = fieldInEitherCase(golden, name)?.value;
    if (value !== undefined && value !== '') metadata[name] = value;
  }
  const fields = given({
    id: reading.ids.add(textOf(fieldInEitherCase(golden, 'name')) || id, golden.path),
    ...read,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  });
  cases.push(isChecked(fields) ? fields : uncheckedCase(fields, log, golden.path));
  for (const other of otherFieldsInEitherCase(golden, isConversation ? OF_CONVERSATION : OF_QUESTION)) {
    // An empty cell of a column that is there for other rows.
    if (other.value === '') continue;
    const what = String(other.path.at(-1));
    const name = what.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
    log.lostField(other, {
      why: other.why ?? WHY[name],
      at: [...at, what],
    });
  }
}

function isChecked(fields: JsonObject): boolean {
  const steps = fields['steps'];
  return (
    Object.hasOwn(fields, 'expected_outcome') ||
    Object.hasOwn(fields, 'evaluators') ||
    hasReference(fields) ||
    (isJsonList(steps) && steps.some((step) => isJsonObject(step) && Object.hasOwn(step, 'assert')))
  );
}

function questionOf(golden: ForeignValue, { log, options, cases }: Reading): JsonObject | undefined {
  const at = ['evalcases', cases.length];
  const input = textOf(fieldInEitherCase(golden, 'input'));
  if (input === undefined || input === '') {
    log.broken({ code: 'missing_input', message: 'this golden has no `input`', from: golden.path }, at);
    return undefined;
  }
  const expected = fieldInEitherCase(golden, 'expected_output');
  const reference = textOf(expected) || undefined;
  if (expected !== undefined && textOf(expected) === undefined)
    log.lostField(expected, { what: 'expected_output', why: 'it is not a string', at });
  const calls = readTools(fieldInEitherCase(golden, 'expected_tools'), log, at);
  // A list of its own replaces the evaluators of the file.
  const evaluators =
    calls.length === 0
      ? undefined
      : [
          ...(reference === undefined ? [] : [referenceCheck(options.evaluator ?? 'match')]),
          { type: 'tool_trajectory', mode: 'any_order', expected: calls },
        ];
  return given({ input, expected_output: reference, evaluators });
}

function readTools(
  field: ForeignValue | undefined,
  log: ConversionLog,
  at: readonly (string | number)[],
): readonly JsonObject[] {
  if (field === undefined || field.value === '') return [];
  const calls: JsonObject[] = [];
  for (const each of itemsOf(field)) {
    const tool = textOf(fieldInEitherCase(each, 'name'));
    const args = fieldInEitherCase(each, 'input_parameters')?.value;
    if (tool === undefined || tool === '') {
      log.lostField(each, { what: 'expected_tools', why: 'this tool has no `name`', at });
      continue;
    }
    calls.push(isJsonObject(args) ? { tool, args } : { tool });
    for (const other of otherFieldsInEitherCase(each, ['name', 'input_parameters'])) {
      const what = `expected_tools.${other.path.at(-1)}`;
      log.lostField(other, { what, why: other.why ?? 'only the name and the arguments are compared', at });
    }
  }
  if (!isJsonList(field.value))
    log.lostField(field, { what: 'expected_tools', why: 'it is not a list of tools', at });
  return calls;
}

function conversationOf(golden: ForeignValue, { log, options, cases }: Reading): JsonObject {
  const at = ['evalcases', cases.length];
  const scenario = textOf(fieldInEitherCase(golden, 'scenario')) || undefined;
  const expected_outcome = textOf(fieldInEitherCase(golden, 'expected_outcome')) || undefined;
  const turns = readTurns(fieldInEitherCase(golden, 'turns'), { log, at: [...at, 'steps'] });
  if (turns.length === 0) {
    const why = 'without turns, a model has to play the user, and Assay has none that does';
    log.lost({ what: 'scenario', why, from: [...golden.path, 'scenario'], at });
    const skip = 'a model has to play the user';
    return given({ description: scenario, expected_outcome, input: scenario ?? '(the user begins)', skip });
  }
  // A goal in words is judged over the whole conversation.
  const steps =
    expected_outcome === undefined
      ? turns.map((step) =>
          hasReference(step) ? { ...step, assert: [referenceCheck(options.evaluator ?? 'match')] } : step,
        )
      : turns;
  const evaluators = expected_outcome === undefined ? undefined : [{ type: 'llm_judge' }];
  return given({ description: scenario, expected_outcome, steps, evaluators });
}
