import { foldText } from '../../src/base/model/fold-text.ts';
import { quotePath, quoteValue } from './print-query.ts';
import { isNumberKey, KEYS, OTHER_NAMES, type Key } from './query.ts';
import type { Survey } from './survey-tests.ts';

/** Something that may take the place of what is before the caret. */
export interface Completion {
  /** What is shown. */
  readonly label: string;
  readonly hint: string;
  /** What is written, and what it replaces. */
  readonly insert: string;
  readonly start: number;
  readonly end: number;
}

const MOST = 12;
const RANGES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  score: [
    ['<0.5', 'below one half'],
    ['<0.7', 'below 0.7'],
    ['0.5..0.8', 'between the two'],
    ['none', 'not measured'],
  ],
  cost: [
    ['>0.01', 'more than one cent'],
    ['>0.1', 'more than ten cents'],
    ['none', 'not known'],
  ],
  time: [
    ['>2s', 'more than two seconds'],
    ['>10s', 'more than ten seconds'],
    ['<500ms', 'less than half a second'],
  ],
  tokens: [
    ['>1k', 'more than a thousand'],
    ['>10k', 'more than ten thousand'],
    ['none', 'not known'],
  ],
};

/** What can come next at the caret: keys, or the values of the key before it. */
export function completeQuery(text: string, caret: number, survey: Survey): readonly Completion[] {
  const before = text.slice(0, caret);
  // Inside of a quote, nobody but the writer knows what comes.
  const token = /(?:^|\s)(-?)((?:[^\s"]|"(?:[^"\\]|\\.)*")*)$/u.exec(before);
  if (token === null) return [];
  const written = token[2]!;
  const keyed = /^([\p{L}_][\p{L}\p{N}_-]*)(?:\.("(?:[^"\\]|\\.)*"|[^\s":]+))?:(.*)$/u.exec(written);
  const key = keyOf(keyed?.[1]);
  if (keyed === null)
    return completeKey({ written, start: caret - written.length, end: wordEnd(text, caret) }, survey);
  if (key === undefined) return [];
  const value = keyed[3]!.slice(keyed[3]!.lastIndexOf(',') + 1);
  const place = { start: caret - value.length, end: wordEnd(text, caret) };
  const path = keyed[2]?.replaceAll(/^"|"$/g, '');
  const known =
    RANGES[path === undefined ? key : 'score'] !== undefined &&
    (isNumberKey(key) || (key === 'evaluator' && path !== undefined))
      ? RANGES[key === 'evaluator' ? 'score' : key]!.map(([one, hint]) => ({ one, hint }))
      : survey
          .valuesOf(key, path)
          .map(({ value: one, count }) => ({ one, hint: count === 0 ? '' : `${count}` }));
  return known
    .filter(({ one }) => foldText(one).includes(foldText(value)) && one !== value)
    .slice(0, MOST)
    .map(({ one, hint }) => ({
      label: one,
      hint,
      insert: quoteValue(one),
      ...place,
    }));
}

function completeKey(
  { written, start, end }: { readonly written: string; readonly start: number; readonly end: number },
  survey: Survey,
): readonly Completion[] {
  const [name = '', path] = written.split('.', 2);
  const key = keyOf(name);
  if (path !== undefined) {
    if (key !== 'metadata' && key !== 'evaluator') return [];
    return survey
      .pathsOf(key)
      .filter(({ value }) => foldText(value).includes(foldText(path)))
      .slice(0, MOST)
      .map(({ value, count }) => {
        const field = `${key}.${quotePath(value)}:`;
        return { label: field, hint: `${count}`, insert: field, start, end };
      });
  }
  return (Object.keys(KEYS) as Key[])
    .filter((one) => one.startsWith(name.toLowerCase()) && isUseful(one, survey))
    .map((one) => {
      const insert = one === 'metadata' ? 'metadata.' : `${one}:`;
      return { label: insert, hint: KEYS[one].doc, insert, start, end };
    });
}

/** A key that no test of the run has a value for would find nothing. */
function isUseful(key: Key, survey: Survey): boolean {
  if (key === 'metadata') return survey.pathsOf(key).length > 0;
  return !['tag', 'error', 'evaluator'].includes(key) || survey.valuesOf(key).length > 0;
}

function keyOf(name: string | undefined): Key | undefined {
  const lower = (name ?? '').toLowerCase();
  if (Object.hasOwn(KEYS, lower)) return lower as Key;
  return Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined;
}

/** The rest of the word at the caret is replaced too. */
function wordEnd(text: string, caret: number): number {
  const rest = /^[^\s,"]*/.exec(text.slice(caret))?.[0] ?? '';
  return caret + rest.length;
}
