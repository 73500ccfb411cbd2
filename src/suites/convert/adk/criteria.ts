import { parseDocument } from '../../formats/document.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { isJsonObject, type Json } from '../../../base/model/json.ts';
import { ConversionLog, locateIn } from '../conversion-log.ts';
import type { Comment, ConvertContext } from '../contract.ts';
import type { ForeignValue } from '../foreign-value.ts';
import { fieldInEitherCase } from '../either-case.ts';

/** How ADK judges the tests of a folder, as far as Assay can. */
export interface Criteria {
  /** Undefined: tools are not judged. */
  readonly tools: { readonly mode: 'exact' | 'in_order' | 'any_order' } | undefined;
  /** Answers are compared with the reference, in a way that Assay does not have. */
  readonly comparesAnswers: boolean;
  readonly findings: readonly Finding[];
  readonly comments: readonly Comment[];
}

/** The criteria of the `test_config.json` in the file's folder; without one, those that ADK applies by default. */
export function readCriteria(file: string, context: ConvertContext): Criteria {
  const path = file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1) + NAME;
  const text = context.readText(NAME);
  if (text === undefined) {
    const locate = (): ReturnType<ReturnType<typeof locateIn>> => ({ file, line: 1, column: 1, path: '' });
    return judgeBy({ value: DEFAULTS, path: [] }, new ConversionLog(locate), ' (of ADK by default)');
  }
  const document = parseDocument(path, text, 'core');
  if (!('source' in document)) return { ...NO_CRITERIA, findings: document.findings };
  const log = new ConversionLog(locateIn(document.source));
  const criteria = fieldInEitherCase({ value: document.value, path: [] }, 'criteria');
  if (criteria === undefined || !isJsonObject(criteria.value)) {
    log.broken({ code: 'not_readable', message: `${NAME} has no \`criteria\``, from: [] }, []);
    return { ...NO_CRITERIA, findings: log.findings, comments: log.comments };
  }
  return judgeBy(criteria, log, '');
}

const NAME = 'test_config.json';
const DEFAULTS = { tool_trajectory_avg_score: 1, response_match_score: 0.8 };
const NO_CRITERIA: Criteria = { tools: undefined, comparesAnswers: false, findings: [], comments: [] };

const WHY: Readonly<Record<string, string>> = {
  response_match_score:
    'it counts the words that answer and reference share (ROUGE-1), and Assay does not: references stay in `expected_output`; --evaluator adds a check',
  final_response_match_v2:
    "it asks ADK's judge: references stay in `expected_output`; --evaluator llm_judge asks yours",
};
const NO_COUNTERPART = 'this criterion of ADK has no counterpart';

function judgeBy(criteria: ForeignValue, log: ConversionLog, origin: string): Criteria {
  let tools: Criteria['tools'];
  for (const [name, value] of Object.entries(criteria.value as object) as [string, Json][]) {
    const field = { value, path: [...criteria.path, name] };
    if (name === 'tool_trajectory_avg_score' || name === 'toolTrajectoryAvgScore')
      tools = readTools(field, log);
    else
      log.lost({
        what: `criterion ${name}${origin}`,
        why: WHY[name] ?? NO_COUNTERPART,
        from: field.path,
        at: [],
        value,
      });
  }
  const names = Object.keys(criteria.value as object);
  const comparesAnswers = names.some((name) => Object.hasOwn(WHY, name));
  return { tools, comparesAnswers, findings: log.findings, comments: log.comments };
}

const MODES: Readonly<Record<string, 'exact' | 'in_order' | 'any_order'>> = {
  EXACT: 'exact',
  IN_ORDER: 'in_order',
  ANY_ORDER: 'any_order',
  0: 'exact',
  1: 'in_order',
  2: 'any_order',
};

function readTools(field: ForeignValue, log: ConversionLog): Criteria['tools'] {
  const threshold = isJsonObject(field.value)
    ? (fieldInEitherCase(field, 'threshold')?.value ?? 1)
    : field.value;
  const type = fieldInEitherCase(field, 'match_type')?.value ?? 'EXACT';
  const mode = MODES[String(type).toUpperCase()];
  if (typeof threshold !== 'number' || mode === undefined) {
    const message = 'the criterion tool_trajectory_avg_score is not a threshold with a known match_type';
    log.broken({ code: 'not_readable', message, from: field.path }, []);
    return { mode: 'exact' };
  }
  if (threshold < 1)
    log.lost({
      what: 'the threshold of tool_trajectory_avg_score',
      why: `ADK passes a test when ${threshold} of its turns call the right tools (a mean over turns); here every step must`,
      from: field.path,
      at: [],
      value: threshold,
    });
  return { mode };
}
