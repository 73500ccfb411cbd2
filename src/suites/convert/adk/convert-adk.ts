import { parseDocument } from '../../formats/document.ts';
import { basename } from '../../formats/path-names.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import { ConversionLog, locateIn } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ForeignFile } from '../contract.ts';
import { fieldOf, given, itemsOf, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import { referenceCheck } from '../reference-check.ts';
import { uncheckedCase } from '../unchecked-case.ts';
import { UniqueIds } from '../unique-ids.ts';
import { fieldInEitherCase, otherFieldsInEitherCase } from '../either-case.ts';
import { readCriteria, type Criteria } from './criteria.ts';
import { isNamedList, recognisesAdk } from './recognise-adk.ts';
import { loseField, readInvocation, readRubrics, toCall, type Turn } from './turn.ts';

/** An eval set of ADK, or one of its older lists of queries. */
export function convertAdk(file: ForeignFile, context: ConvertContext): Conversion {
  const document = parseDocument(file.path, file.text, 'core');
  if (!('source' in document)) return { suite: undefined, findings: document.findings };
  const log = new ConversionLog(locateIn(document.source));
  const root: ForeignValue = { value: document.value, path: [] };
  if (!recognisesAdk({ ...file, value: document.value })) {
    const message = 'this has neither `eval_set_id` nor a list of queries, so it is not an eval file of ADK';
    log.broken({ code: 'not_readable', message, from: [] }, []);
    return { suite: undefined, findings: log.findings };
  }
  const criteria = readCriteria(file.path, context);
  const reading = { log, context, criteria, ids: new UniqueIds(log), cases: [] as JsonObject[] };
  const settings = isJsonList(document.value) ? {} : readEvalSet(root, reading);
  if (isJsonList(document.value)) readOldLists(root, stem(file.path), reading);
  return {
    suite: {
      document: { ...settings, evalcases: reading.cases },
      comments: [...criteria.comments, ...log.comments],
    },
    findings: [...criteria.findings, ...log.findings],
  };
}

interface Reading {
  readonly log: ConversionLog;
  readonly context: ConvertContext;
  readonly criteria: Criteria;
  readonly ids: UniqueIds;
  readonly cases: JsonObject[];
}

/** `order_query.test.json` is the test `order_query`. */
function stem(path: string): string {
  return basename(path).replace(/(?:\.(?:test|evalset))?\.json$/i, '');
}

const EVAL_SET = ['eval_set_id', 'name', 'description', 'eval_cases', 'creation_timestamp'];

function readEvalSet(root: ForeignValue, reading: Reading): JsonObject {
  for (const each of itemsOf(fieldInEitherCase(root, 'eval_cases'))) readEvalCase(each, reading);
  for (const other of otherFieldsInEitherCase(root, EVAL_SET)) loseField(other, { log: reading.log, at: [] });
  return given({
    description: textOf(fieldInEitherCase(root, 'description')) || undefined,
    dataset:
      textOf(fieldInEitherCase(root, 'eval_set_id')) || textOf(fieldInEitherCase(root, 'name')) || undefined,
  });
}

const EVAL_CASE = [
  'eval_id',
  'conversation',
  'session_input',
  'creation_timestamp',
  'rubrics',
  'final_session_state',
  'conversation_scenario',
];

function readEvalCase(each: ForeignValue, reading: Reading): void {
  const { log, cases } = reading;
  const at = ['evalcases', cases.length];
  const scenario = fieldInEitherCase(each, 'conversation_scenario');
  if (scenario !== undefined) return readScenario(each, scenario, reading);
  const turns: Turn[] = [];
  for (const turn of itemsOf(fieldInEitherCase(each, 'conversation'))) {
    const read = readInvocation(turn, { log, at: [...at, 'steps', turns.length] });
    if (read !== undefined) turns.push(read);
  }
  for (const other of otherFieldsInEitherCase(each, EVAL_CASE)) loseField(other, { log, at });
  addCase(
    {
      id: textOf(fieldInEitherCase(each, 'eval_id')),
      turns,
      session: fieldInEitherCase(each, 'session_input'),
      rubrics: readRubrics(fieldInEitherCase(each, 'rubrics'), { log, at }),
      finalState: fieldInEitherCase(each, 'final_session_state'),
      from: each.path,
    },
    reading,
  );
}

/** A user who is played by a model: the test is kept, and skipped. */
function readScenario(each: ForeignValue, scenario: ForeignValue, { log, ids, cases }: Reading): void {
  const at = ['evalcases', cases.length];
  const why = 'Assay has no user that is played by a model';
  log.lost({ what: 'conversation_scenario', why, from: scenario.path, at: [...at, 'conversation_scenario'] });
  const id = textOf(fieldInEitherCase(each, 'eval_id')) || String(cases.length + 1);
  const fields = {
    id: ids.add(id, each.path),
    ...sessionFields(fieldInEitherCase(each, 'session_input'), log, at),
    input: textOf(fieldInEitherCase(scenario, 'starting_prompt')) || '(the user begins)',
    metadata: { conversation_scenario: scenario.value },
  };
  cases.push(uncheckedCase(fields, log, each.path));
}

function readOldLists(root: ForeignValue, name: string, reading: Reading): void {
  const lists = itemsOf(root);
  if (!lists.every(({ value }) => isNamedList(value))) return readQueries(root, { name, from: [] }, reading);
  for (const each of lists) {
    const data = fieldOf(each, 'data');
    const called = {
      name: textOf(fieldOf(each, 'name')),
      from: each.path,
      session: fieldInEitherCase(each, 'initial_session'),
    };
    for (const other of otherFields(each, OLD_LIST))
      loseField(other, { log: reading.log, at: ['evalcases', reading.cases.length] });
    if (data !== undefined) readQueries(data, called, reading);
  }
}

const OLD_LIST: ReadonlySet<string> = new Set(['name', 'data', 'initial_session', 'initialSession']);
const OLD_QUERY = ['query', 'reference', 'expected_tool_use'];

interface OldList {
  readonly name: string | undefined;
  readonly from: readonly PathSegment[];
  readonly session?: ForeignValue | undefined;
}

/** All queries of a list are one conversation. */
function readQueries(list: ForeignValue, { name, from, session }: OldList, reading: Reading): void {
  const { log, cases } = reading;
  const turns: Turn[] = [];
  for (const each of itemsOf(list)) {
    const at = ['evalcases', cases.length, 'steps', turns.length];
    const input = textOf(fieldOf(each, 'query'));
    if (input === undefined) {
      log.broken({ code: 'missing_input', message: 'this turn has no `query`', from: each.path }, at);
      continue;
    }
    turns.push({
      input,
      reference: textOf(fieldOf(each, 'reference')),
      calls: readOldCalls(fieldInEitherCase(each, 'expected_tool_use'), { log, at }),
      rubrics: [],
    });
    for (const other of otherFieldsInEitherCase(each, OLD_QUERY)) {
      const isSaid = String(other.path.at(-1)) === 'expected_intermediate_agent_responses';
      const why = isSaid ? 'text between the tool calls is not compared' : other.why;
      log.lostField(other, { why, at });
    }
  }
  addCase({ id: name, turns, session, rubrics: [], finalState: undefined, from }, reading);
}

function readOldCalls(
  field: ForeignValue | undefined,
  { log, at }: { readonly log: ConversionLog; readonly at: readonly PathSegment[] },
): readonly JsonObject[] {
  const calls: JsonObject[] = [];
  for (const each of itemsOf(field)) {
    const tool = textOf(fieldInEitherCase(each, 'tool_name'));
    if (tool === undefined || tool === '')
      log.broken({ code: 'missing_tool', message: 'this tool call has no `tool_name`', from: each.path }, at);
    else calls.push(toCall(tool, fieldInEitherCase(each, 'tool_input')?.value));
    for (const other of otherFieldsInEitherCase(each, ['tool_name', 'tool_input']))
      loseField(other, { log, at });
  }
  return calls;
}

interface FoundCase {
  readonly id: string | undefined;
  readonly turns: readonly Turn[];
  readonly session: ForeignValue | undefined;
  readonly rubrics: readonly JsonObject[];
  readonly finalState: ForeignValue | undefined;
  readonly from: readonly PathSegment[];
}

function addCase({ id, turns, session, rubrics, finalState, from }: FoundCase, reading: Reading): void {
  const { log, ids, cases } = reading;
  const at = ['evalcases', cases.length];
  if (turns.length === 0) {
    log.broken(
      { code: 'missing_input', message: `${id ?? 'this case'} has no turn with text from the user`, from },
      at,
    );
    return;
  }
  const steps = turns.map((turn, index) => {
    const isLast = index === turns.length - 1;
    return stepOf(turn, isLast ? memoryChecks(finalState, log, at) : [], reading);
  });
  const fields = given({
    id: ids.add(id || String(cases.length + 1), from),
    ...sessionFields(session, log, at),
    steps,
    rubrics: rubrics.length === 0 ? undefined : rubrics,
  });
  const isChecked = rubrics.length > 0 || steps.some((step) => Object.hasOwn(step, 'assert'));
  cases.push(isChecked ? fields : uncheckedCase(fields, log, from));
}

function stepOf(
  { input, reference, calls, rubrics }: Turn,
  memory: readonly JsonObject[],
  reading: Reading,
): JsonObject {
  const { criteria, context } = reading;
  const { tools } = criteria;
  // With extra calls allowed, expecting none says nothing.
  const claimsTools = tools !== undefined && (tools.mode === 'exact' || calls.length > 0);
  const assert: JsonObject[] = [
    ...(claimsTools
      ? [{ type: 'tool_trajectory', mode: tools.mode, args_match: 'exact', expected: calls, required: 1 }]
      : []),
    ...(reference !== undefined && criteria.comparesAnswers && context.options.evaluator !== undefined
      ? [referenceCheck(context.options.evaluator)]
      : []),
    ...(rubrics.length === 0 ? [] : [{ type: 'rubric', rubrics }]),
    ...memory,
  ];
  return given({ input, expected_output: reference, assert: assert.length === 0 ? undefined : assert });
}

function sessionFields(
  session: ForeignValue | undefined,
  log: ConversionLog,
  at: readonly PathSegment[],
): JsonObject {
  if (session === undefined) return {};
  for (const name of ['app_name', 'user_id']) {
    const field = fieldInEitherCase(session, name);
    if (field === undefined || field.value === '') continue;
    log.lostField(field, { what: name, why: 'a test does not say who runs it', at });
  }
  for (const other of otherFieldsInEitherCase(session, ['app_name', 'user_id', 'state']))
    loseField(other, { log, at });
  const state = fieldInEitherCase(session, 'state')?.value;
  return isJsonObject(state) && Object.keys(state).length > 0 ? { memory: state } : {};
}

/** The state at the end, key by key. A key with a dot in it cannot be named by a path. */
function memoryChecks(
  state: ForeignValue | undefined,
  log: ConversionLog,
  at: readonly PathSegment[],
): readonly JsonObject[] {
  if (state === undefined || !isJsonObject(state.value)) return [];
  const checks: JsonObject[] = [];
  for (const [key, value] of Object.entries(state.value) as [string, Json][]) {
    if (/^[^.[\]]+$/.test(key)) checks.push({ type: 'memory', path: key, equals: value, required: 1 });
    else {
      const why = 'this key cannot be named by a path';
      log.lost({ what: `final_session_state ${key}`, why, from: [...state.path, key], at, value });
    }
  }
  return checks;
}
