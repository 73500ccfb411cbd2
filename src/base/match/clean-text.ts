import { compile, type Pattern } from './python-re/index.ts';

/** Changes a text: leaves out what is to be ignored, and adds it to `leftOut`. */
export type CleanText = (text: string, leftOut?: string[]) => string;

/** Leaves out what these Python patterns match: text that changes from run to run. */
export function createCleanText(ignore: readonly string[]): CleanText {
  const patterns = ignore.map((pattern) => compile(pattern));
  return patterns.length === 0
    ? (text) => text
    : (text, leftOut) => patterns.reduce((rest, pattern) => leaveOut(rest, pattern, leftOut), text);
}

/** Whether these patterns leave nothing of a request that tells it from another one. */
export function ignoresEverything(ignore: readonly string[]): boolean {
  const clean = createCleanText(ignore);
  return SAMPLES.every((text) => !/[\p{L}\p{N}]/u.test(clean(text)));
}

const SAMPLES = ['What is the weather in Paris?', 'Zürich, 42 Wege\nund 日本', '{"id": "a-1"}'];

function leaveOut(text: string, pattern: Pattern, leftOut?: string[]): string {
  let rest = text;
  let kept = '';
  for (let match = pattern.find(rest); match !== null; match = pattern.find(rest)) {
    // An empty match leaves nothing out, and would be found for ever.
    const end = match.end > match.start ? match.end : match.end + 1;
    if (match.end > match.start) leftOut?.push(rest.slice(match.start, match.end));
    kept += rest.slice(0, match.start) + rest.slice(match.end, end);
    rest = rest.slice(end);
    if (rest === '') break;
  }
  return kept + rest;
}
