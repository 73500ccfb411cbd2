import { readSetting, writeSetting } from '../parts/settings.ts';
import type { TestRow } from '../run/test-row.ts';
import type { LabelBook } from './label-book.ts';

const BLIND = 'assay-blind';
const NAME = 'assay-label-name';

/** Verdicts, scores and what judges say are hidden until a person has said something. */
export function isBlind(): boolean {
  return readSetting(BLIND) === 'on';
}

export function setBlind(isOn: boolean): void {
  writeSetting(BLIND, isOn ? 'on' : undefined);
}

/** Who labels here. */
export function labelName(book: LabelBook): string {
  return readSetting(NAME) ?? book.by ?? '';
}

export function setLabelName(name: string): void {
  writeSetting(NAME, name.trim() === '' ? undefined : name.trim());
}

/**
 * The next attempt, after this one, that this person has not labelled; undefined if there is none. Blind, they come
 * in an order that says nothing: a list begins with what failed.
 */
export function nextUnlabelled(
  tests: readonly TestRow[],
  {
    book,
    after,
    isBlind: blind,
  }: { readonly book: LabelBook; readonly after?: number | undefined; readonly isBlind: boolean },
): number | undefined {
  const name = labelName(book);
  const attempts = tests.flatMap((row) => row.attempts).filter(({ verdict }) => verdict !== 'skipped');
  const ordered = blind ? attempts.toSorted((a, b) => mixed(a.id) - mixed(b.id)) : attempts;
  const at = ordered.findIndex(({ index }) => index === after);
  return [...ordered.slice(at + 1), ...ordered.slice(0, at + 1)].find(
    ({ index }) => index !== after && !hasLabelOf(book, index, name),
  )?.index;
}

export function attemptCount(tests: readonly TestRow[]): number {
  return tests.reduce((count, { attempts }) => count + attempts.length, 0);
}

export function hasLabelOf(book: LabelBook, index: number, name: string): boolean {
  return book.byIndex.get(index)?.some(({ by }) => by === name) ?? false;
}

/** The same number for the same text, and nothing that follows from the text. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
