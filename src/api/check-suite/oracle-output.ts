import { printJson } from '../../model/print-json.ts';
import type { WantedReply, WantedText } from '../../model/wanted-reply.ts';

/** What was said, and the output after it. */
export interface Spoken {
  readonly said: readonly string[];
  readonly output: string;
}

/**
 * Outputs that may satisfy everything that is wanted, the most likely first. Where the output is wanted exactly there is
 * no other; texts can be put together in more than one way.
 */
export function outputCandidates({ output, said = [], json, texts = [] }: WantedReply): readonly Spoken[] {
  if (output !== undefined) return [{ said, output }];
  const joined =
    texts.length === 0 ? [] : [join(texts, ' '), join(texts, '\n'), ...texts.map(({ text }) => text)];
  const outputs = json === undefined ? joined : [printJson(json.value), ...joined];
  return [...new Set(outputs.slice(0, MOST))].map((candidate) => ({ said, output: candidate }));
}

const MOST = 6;

function join(texts: readonly WantedText[], separator: string): string {
  const at = (place: WantedText['at']): readonly string[] =>
    texts.filter((text) => text.at === place).map(({ text }) => text);
  const ends = [...at('start'), ...at('end')];
  const between = at(undefined).filter(
    (text, index, all) =>
      ![...ends, ...all.slice(0, index)].some((other) => other.includes(text)) &&
      !all.slice(index + 1).some((other) => other !== text && other.includes(text)),
  );
  return [...byLength(at('start')), ...between, ...byLength(at('end')).toReversed()].join(separator);
}

/** Of two beginnings the longer one may hold the other: then it alone is needed. */
function byLength(texts: readonly string[]): readonly string[] {
  const sorted = texts.toSorted((a, b) => b.length - a.length);
  return sorted.filter((text, index) => !sorted.slice(0, index).some((longer) => longer.includes(text)));
}
