import { isJsonList, isJsonObject, type JsonObject } from '../../../base/model/json.ts';
import { messageProblem } from '../checked-messages.ts';
import { hasReference, suiteOfCases } from '../chosen-check.ts';
import { ConversionLog } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ForeignFile } from '../contract.ts';
import { fieldOf, given, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import { readExamples } from '../json-lines.ts';
import { uncheckedCase } from '../unchecked-case.ts';
import { UniqueIds } from '../unique-ids.ts';

/** Samples of Inspect. Its solvers and scorers are code, and stay where they are. */
export function convertInspect(file: ForeignFile, { options }: ConvertContext): Conversion {
  const { values, locate, findings } = readExamples(file);
  const log = new ConversionLog(locate);
  const ids = new UniqueIds(log);
  const cases: JsonObject[] = [];
  for (const [index, value] of values.entries()) {
    const at = ['evalcases', cases.length];
    if (value === undefined) {
      log.comment(at, `not converted: sample ${index + 1} is not JSON`);
      continue;
    }
    const sample: ForeignValue = { value, path: [index] };
    const asked = inputOf(sample);
    if (asked === undefined) {
      const message = 'this sample has no `input`: a string or a list of messages';
      log.broken({ code: 'missing_input', message, from: sample.path }, at);
      continue;
    }
    for (const other of otherFields(sample, KNOWN)) {
      const what = String(other.path.at(-1));
      log.lostField(other, { why: WHY[what], at: [...at, what] });
    }
    const metadata = fieldOf(sample, 'metadata')?.value;
    const fields = given({
      id: ids.add(String(fieldOf(sample, 'id')?.value ?? `#${index + 1}`), sample.path),
      ...asked,
      ...targetOf(sample),
      metadata: isJsonObject(metadata) ? metadata : undefined,
    });
    const isChecked = hasReference(fields) || Object.hasOwn(fields, 'evaluators');
    cases.push(isChecked ? fields : uncheckedCase(fields, log, sample.path));
  }
  return suiteOfCases(cases, { options, log, findings });
}

const KNOWN: ReadonlySet<string> = new Set(['input', 'target', 'id', 'metadata']);
const WHY: Readonly<Record<string, string>> = {
  choices: 'a solver writes them into the prompt: write them into the input',
  files: 'use `workspace`',
  setup: 'use `setup`',
  sandbox: 'use `environment`',
};

function inputOf(sample: ForeignValue): JsonObject | undefined {
  const field = fieldOf(sample, 'input');
  const text = textOf(field);
  if (text !== undefined) return text === '' ? undefined : { input: text };
  if (!isJsonList(field?.value) || field.value.length === 0) return undefined;
  return messageProblem(field.value, 'input') === undefined ? { input_messages: field.value } : undefined;
}

/** Of several targets, one is enough: the answer must contain it. */
function targetOf(sample: ForeignValue): JsonObject {
  const target = fieldOf(sample, 'target')?.value;
  const texts = (isJsonList(target) ? target : [target]).filter(
    (each) => typeof each === 'string' && each !== '',
  );
  if (texts.length > 1) return { evaluators: [{ type: 'contains_any', value: texts as string[] }] };
  return texts.length === 0 ? {} : { expected_output: texts[0]! };
}
