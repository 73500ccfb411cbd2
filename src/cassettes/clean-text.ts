import { compile, type Pattern } from '../match/python-re/index.ts';
import type { CleanText } from './canonical-request.ts';

/** Leaves out what these Python patterns match: text that changes from run to run. */
export function createCleanText(ignore: readonly string[]): CleanText {
  const patterns = ignore.map((pattern) => compile(pattern));
  return patterns.length === 0 ? (text) => text : (text) => patterns.reduce(leaveOut, text);
}

function leaveOut(text: string, pattern: Pattern): string {
  let rest = text;
  let kept = '';
  for (let match = pattern.find(rest); match !== null; match = pattern.find(rest)) {
    // An empty match leaves nothing out, and would be found for ever.
    const end = match.end > match.start ? match.end : match.end + 1;
    kept += rest.slice(0, match.start) + rest.slice(match.end, end);
    rest = rest.slice(end);
    if (rest === '') break;
  }
  return kept + rest;
}
