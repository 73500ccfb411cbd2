import type { Finding } from '../../base/model/finding.ts';
import type { Test } from '../../base/model/test.ts';
import { Reader } from '../../base/schema/reader.ts';
import { detectFormat } from './detect-format.ts';
import { hasFewValues } from './few-values.ts';
import { openJsonList, readJsonList } from './json-list.ts';
import type { ItemReading } from './list-items.ts';
import { byPlace, type SuiteText } from './parse-suite.ts';
import { extname } from './path-names.ts';
import { StepTestListReader, type StepTestContext } from './step-test.ts';
import { cutYamlList } from './yaml/cut-list.ts';
import { readYamlList } from './yaml-list.ts';

/** A long list of step tests, which are read one by one, as often as they are asked for. */
export interface StepTestList {
  /**
   * The tests that can be read. What is wrong with the others is returned at the end; undefined when the text has to be read
   * as a whole, and its tests are not to be taken from here. All readings of a text come to the same.
   */
  read(): Generator<Test, readonly Finding[] | undefined>;
}

/** Undefined for every other text: that one is read as a whole. */
export function openStepTestList(suite: SuiteText, context: StepTestContext): StepTestList | undefined {
  const begin = openItems(suite);
  return begin === undefined ? undefined : { read: () => readTests(begin(), context) };
}

function openItems({ path, text: authored }: SuiteText): (() => ItemReading) | undefined {
  if (authored.length <= LONG_TEXT) return undefined;
  const text = authored.startsWith('\uFEFF') ? authored.slice(1) : authored;
  if (extname(path).toLowerCase() === '.json') {
    const list = hasFewValues(text) ? openJsonList(text) : undefined;
    return list && (() => readJsonList(path, text, list));
  }
  const pieces = cutYamlList(text);
  return pieces && (() => readYamlList(path, text, pieces));
}

/** Shorter texts are read as a whole, which is faster. */
const LONG_TEXT = 1_000_000;

function* readTests(
  { source, findings, items }: ItemReading,
  context: StepTestContext,
): Generator<Test, readonly Finding[] | undefined> {
  const reader = new Reader(source);
  const list = new StepTestListReader(reader, context);
  let hasStepTest = false;
  for (const item of items()) {
    if (item === undefined) return undefined;
    hasStepTest ||= 'format' in detectFormat([item]);
    yield* list.read(item);
  }
  list.end();
  return hasStepTest ? [...findings, ...reader.findings].sort(byPlace) : undefined;
}
