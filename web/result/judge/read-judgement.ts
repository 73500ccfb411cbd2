import {
  isJsonList,
  isJsonObject,
  objectsIn,
  ownValue,
  type Json,
  type JsonObject,
} from '../../../src/base/model/json.ts';
import type { AssertionRecord } from '../../../src/base/model/record.ts';

export interface Quote {
  readonly text: string;
  /** Whether the transcript holds it. If not, the judge made it up. */
  readonly isFound: boolean;
}

export interface JudgedRubric {
  readonly id: string;
  readonly expected?: string | undefined;
  readonly weight: number;
  readonly isRequired: boolean;
  /** 0..1. */
  readonly share: number;
  /** The score to reach, 0..1, where the rubric has one. */
  readonly minimum?: number | undefined;
  readonly holds: boolean;
  readonly reasoning: string;
  readonly quotes: readonly Quote[];
}

/** What a judge said, as records hold it. */
export interface Judgement {
  readonly model: string;
  /** The score to reach. Old records do not say. */
  readonly threshold?: number | undefined;
  readonly reference?: string | undefined;
  readonly rubrics: readonly JudgedRubric[];
  readonly quotes: readonly Quote[];
  /** The scores of all samples, where there are several. */
  readonly samples: readonly number[];
}

/** Undefined if no model judged this. */
export function readJudgement({
  details,
  required,
}: Pick<AssertionRecord, 'details' | 'required'>): Judgement | undefined {
  if (!isJsonObject(details)) return undefined;
  const model = ownValue(details, 'model');
  const evidence = ownValue(details, 'evidence');
  const rubrics = ownValue(details, 'rubrics');
  if (typeof model !== 'string' || !(isJsonList(evidence) || isJsonList(rubrics))) return undefined;
  const samples = ownValue(details, 'samples');
  return {
    model,
    threshold: typeof required === 'number' ? required : numberIn(details, 'threshold'),
    reference: textIn(details, 'reference_answer'),
    rubrics: objectsIn(rubrics).map(readRubric),
    quotes: readQuotes(evidence),
    samples: objectsIn(samples).flatMap((sample) => numberIn(sample, 'score') ?? []),
  };
}

/** Every quote of assertions that the transcript holds, each once. */
export function foundQuotes(assertions: readonly AssertionRecord[]): readonly string[] {
  const judged = assertions.flatMap((assertion) => readJudgement(assertion) ?? []);
  const quotes = judged.flatMap((one) => [...one.quotes, ...one.rubrics.flatMap((rubric) => rubric.quotes)]);
  return [...new Set(quotes.filter(({ isFound }) => isFound).map(({ text }) => text))];
}

function readRubric(rubric: JsonObject): JudgedRubric {
  const satisfied = ownValue(rubric, 'satisfied');
  const share = typeof satisfied === 'boolean' ? Number(satisfied) : (numberIn(rubric, 'score') ?? 0) / 10;
  const lowest = numberIn(rubric, 'minimum');
  const minimum = lowest === undefined ? undefined : lowest / 10;
  return {
    id: textIn(rubric, 'id') ?? '',
    expected: textIn(rubric, 'expected_outcome'),
    weight: numberIn(rubric, 'weight') ?? 1,
    isRequired: ownValue(rubric, 'required') === true,
    share,
    minimum,
    holds: typeof satisfied === 'boolean' ? satisfied : share >= (minimum ?? 0.5),
    reasoning: textIn(rubric, 'reasoning') ?? '',
    quotes: readQuotes(ownValue(rubric, 'evidence')),
  };
}

function readQuotes(value: Json | undefined): readonly Quote[] {
  return objectsIn(value).flatMap((item) => {
    const text = textIn(item, 'quote');
    return text === undefined ? [] : [{ text, isFound: ownValue(item, 'found') === true }];
  });
}

function textIn(value: JsonObject, key: string): string | undefined {
  const found = ownValue(value, key);
  return typeof found === 'string' ? found : undefined;
}

function numberIn(value: JsonObject, key: string): number | undefined {
  const found = ownValue(value, key);
  return typeof found === 'number' ? found : undefined;
}
