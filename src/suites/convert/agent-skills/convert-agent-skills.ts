import { skillPath, triggerParameters } from '../../formats/agent-skills.ts';
import { parseDocument } from '../../formats/document.ts';
import { basename } from '../../formats/path-names.ts';
import { isJsonList, type JsonObject } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import { ConversionLog, locateIn } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ForeignFile } from '../contract.ts';
import { fieldOf, given, itemsOf, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import { uncheckedCase } from '../unchecked-case.ts';
import { UniqueIds } from '../unique-ids.ts';

/** The `evals.json` of an agent skill, or the list of queries that should trigger it. */
export function convertAgentSkills(file: ForeignFile, context: ConvertContext): Conversion {
  const document = parseDocument(file.path, file.text, 'core');
  if (!('source' in document)) return { suite: undefined, findings: document.findings };
  const log = new ConversionLog(locateIn(document.source));
  const root: ForeignValue = { value: document.value, path: [] };
  const skill = textOf(fieldOf(root, 'skill_name'));
  const reading: Reading = {
    log,
    context,
    ids: new UniqueIds(log),
    file: file.path,
    skill,
    cases: [],
  };
  if (isJsonList(document.value)) for (const item of itemsOf(root)) readTrigger(item, reading);
  else for (const item of itemsOf(fieldOf(root, 'evals'))) readEval(item, reading);
  for (const other of otherFields(root, FILE_FIELDS)) loseField(other, reading, []);
  const suite = { document: { evalcases: reading.cases }, comments: log.comments };
  return { suite, findings: [...document.findings, ...log.findings] };
}

interface Reading {
  readonly log: ConversionLog;
  readonly context: ConvertContext;
  readonly ids: UniqueIds;
  readonly file: string;
  readonly skill: string | undefined;
  readonly cases: JsonObject[];
}

const FILE_FIELDS: ReadonlySet<string> = new Set(['skill_name', 'evals']);
const EVAL_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'prompt',
  'expected_output',
  'files',
  'assertions',
  'expectations',
  'should_trigger',
]);

function readEval(item: ForeignValue, reading: Reading): void {
  const { log, cases } = reading;
  const at = ['evalcases', cases.length];
  const prompt = textOf(fieldOf(item, 'prompt'));
  if (prompt === undefined || prompt === '') {
    const from = [...item.path, 'prompt'];
    const message = `${basename(String(item.path[0]))}[${item.path[1]}] has no \`prompt\``;
    log.broken({ code: 'missing_input', message, hint: 'write what the user asks', from }, at);
    return;
  }
  const expected = fieldOf(item, 'expected_output');
  if (expected !== undefined && textOf(expected) === undefined)
    log.lostField(expected, {
      what: 'expected_output',
      why: 'it is not a string',
      at: [...at, 'expected_outcome'],
    });
  const rubrics = readRubrics(item, reading);
  const files = readFiles(item, reading);
  const fields = given({
    id: reading.ids.add(idOf(item), item.path),
    expected_outcome: textOf(expected) || undefined,
    input:
      files.length === 0 ? prompt : [{ role: 'user', content: [{ type: 'text', value: prompt }, ...files] }],
    rubrics: rubrics.length === 0 ? undefined : rubrics,
    evaluators: triggerCheck(item, reading, textOf(expected) !== undefined && rubrics.length === 0),
    metadata: reading.skill === undefined ? undefined : { skill_name: reading.skill },
  });
  const isChecked = ['expected_outcome', 'rubrics', 'evaluators'].some((name) => Object.hasOwn(fields, name));
  cases.push(isChecked ? fields : uncheckedCase(fields, log, item.path));
  for (const other of otherFields(item, EVAL_FIELDS)) loseField(other, reading, at);
}

/** An id may be a number. Without one, the position counts. */
function idOf(item: ForeignValue): string {
  const id = fieldOf(item, 'id')?.value;
  return typeof id === 'string' || typeof id === 'number'
    ? String(id) || idByPosition(item)
    : idByPosition(item);
}

function idByPosition(item: ForeignValue): string {
  return String(Number(item.path.at(-1)) + 1);
}

/** `assertions` and `expectations` are sentences for a judge. */
function readRubrics(item: ForeignValue, { log, cases }: Reading): readonly string[] {
  const rubrics: string[] = [];
  for (const name of ['assertions', 'expectations']) {
    const field = fieldOf(item, name);
    if (field !== undefined && !isJsonList(field.value))
      log.lostField(field, {
        what: name,
        why: 'it is not a list of sentences',
        at: ['evalcases', cases.length, 'rubrics'],
      });
    for (const each of itemsOf(field)) {
      const rubric = textOf(each);
      if (rubric !== undefined && rubric.trim() !== '') rubrics.push(rubric);
      else
        log.lostField(each, {
          what: `${name}[${each.path.at(-1)}]`,
          why: 'it is not a sentence',
          at: ['evalcases', cases.length, 'rubrics'],
        });
    }
  }
  return rubrics;
}

/** The files that the agent gets. */
function readFiles(item: ForeignValue, { log, context, file, cases }: Reading): readonly JsonObject[] {
  const parts: JsonObject[] = [];
  for (const each of itemsOf(fieldOf(item, 'files'))) {
    const name = textOf(each);
    const path = name === undefined ? undefined : skillPath(name, file);
    if (path !== undefined && context.readText(path) !== undefined)
      parts.push({ type: 'file', value: context.pathFromResult(path) });
    else {
      const message = `${name ?? 'this'} is not a text file that can be read, so the agent does not get it`;
      log.warn({ code: 'file_reference', message, from: each.path });
      log.comment(['evalcases', cases.length, 'files'], `not converted: files: ${message}`);
    }
  }
  return parts;
}

function loseField(field: ForeignValue, { log }: Reading, at: readonly PathSegment[]): void {
  log.lostField(field, { at: [...at, String(field.path.at(-1))] });
}

/** `should_trigger`: whether the skill is used is seen in the tool calls. A goal in words is still judged beside it. */
function triggerCheck(
  item: ForeignValue,
  { skill, file, log, cases }: Reading,
  isJudged: boolean,
): readonly JsonObject[] | undefined {
  const field = fieldOf(item, 'should_trigger');
  if (field === undefined) return undefined;
  const named = textOf(fieldOf(item, 'expected_skill')) ?? skill;
  if (typeof field.value === 'boolean') {
    const check = { type: 'skill_used', ...triggerParameters(named, file, field.value) };
    return isJudged ? [{ type: 'llm_judge' }, check] : [check];
  }
  const why = 'it is neither true nor false';
  const at = ['evalcases', cases.length, 'should_trigger'];
  log.lostField(field, { what: 'should_trigger', why, at });
  return undefined;
}

function readTrigger(item: ForeignValue, reading: Reading): void {
  const { log, ids, cases } = reading;
  const at = ['evalcases', cases.length];
  const query = textOf(fieldOf(item, 'query'));
  if (query === undefined || query === '') {
    const message = `query ${cases.length + 1} has no text`;
    log.broken({ code: 'missing_input', message, from: item.path }, at);
    return;
  }
  const evaluators = triggerCheck(item, reading, false);
  // As when the file is run as it is: the first tool call decides.
  const skill_trigger = evaluators && {
    skill: evaluators[0]!['value']!,
    should_trigger: evaluators[0]!['max'] !== 0,
  };
  const fields = given({
    id: ids.add(idOf(item), item.path),
    input: query,
    stop_after: evaluators && 'first_tool_call',
    evaluators,
    metadata: skill_trigger && { skill_trigger },
  });
  cases.push(evaluators === undefined ? uncheckedCase(fields, log, item.path) : fields);
  const known = new Set(['id', 'query', 'should_trigger', 'expected_skill']);
  for (const other of otherFields(item, known)) loseField(other, reading, at);
}
