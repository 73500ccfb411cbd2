import type { Finding } from '../../base/model/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Comment, ConvertedSuite } from './contract.ts';

/** A converted suite without the cases that do not load: a comment says which, and why. */
export function withoutBrokenCases(
  { document, comments }: ConvertedSuite,
  errors: readonly Finding[],
): {
  readonly suite: ConvertedSuite;
  readonly left: readonly { readonly id: string; readonly why: string }[];
} {
  const reasons = new Map<number, string>();
  for (const { path, message } of errors) {
    const index = /^evalcases\[(\d+)\]/.exec(path)?.[1];
    if (index !== undefined && !reasons.has(Number(index))) reasons.set(Number(index), message);
  }
  const cases = document['evalcases'] as readonly Json[];
  const moved = (index: number): number =>
    index - [...reasons.keys()].filter((broken) => broken < index).length;
  const left = [...reasons].map(([index, why]) => ({ id: idOf(cases[index]), why, index }));
  const kept = comments.flatMap(({ at, text }): readonly Comment[] => {
    const [list, index, ...rest] = at;
    if (list !== 'evalcases' || typeof index !== 'number') return [{ at, text }];
    return [{ at: reasons.has(index) ? [list, moved(index)] : [list, moved(index), ...rest], text }];
  });
  const added = left.map(({ id, why, index }) => ({
    at: ['evalcases', moved(index)],
    text: `not converted: ${id}: ${why}`,
  }));
  const evalcases = cases.filter((_, index) => !reasons.has(index));
  return { suite: { document: { ...document, evalcases }, comments: [...kept, ...added] }, left };
}

function idOf(value: Json | undefined): string {
  return isJsonObject(value) ? String((value as JsonObject)['id']) : '';
}
