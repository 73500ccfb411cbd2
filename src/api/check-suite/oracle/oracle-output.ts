import { findText } from '../../../base/match/text-language/find-text.ts';
import type { ReplyRequirements, RequiredText } from '../../../base/model/reply-requirements.ts';
import { jsonOutputs } from './json-outputs.ts';

/** The earlier messages, and the output after them. */
export interface Spoken {
  readonly said: readonly string[];
  readonly output: string;
}

/**
 * Outputs that may satisfy all requirements, the most likely first. If the exact output is required, there is only
 * that one; texts can be combined in more than one way; at the end one is searched for with all the rules.
 */
export function* outputCandidates(all: readonly ReplyRequirements[]): Generator<Spoken, void, undefined> {
  const said = all.find((wanted) => wanted.said !== undefined)?.said ?? [];
  const seen = new Set<string>();
  for (const output of outputs(all)) {
    if (seen.has(output)) continue;
    seen.add(output);
    yield { said, output };
  }
}

function* outputs(all: readonly ReplyRequirements[]): Generator<string> {
  const exact = all.find((wanted) => wanted.output !== undefined)?.output;
  if (exact !== undefined) {
    yield exact;
    return;
  }
  const texts = all.flatMap((wanted) => wanted.texts ?? []);
  const jsons = all.flatMap(({ json }) => (json === undefined ? [] : [[json.value, ...(json.others ?? [])]]));
  yield* jsonOutputs(jsons, texts);
  if (texts.length > 0) {
    yield join(texts, ' ');
    yield join(texts, '\n');
    for (const { text } of texts) yield text;
  }
  const rules = all.flatMap(({ rule, necessary_rule: necessary }) => rule ?? necessary ?? []);
  const found = rules.length === 0 ? 'none' : findText(rules);
  if (typeof found !== 'string') yield found.text;
}

function join(texts: readonly RequiredText[], separator: string): string {
  const at = (place: RequiredText['at']): readonly string[] =>
    texts.filter((text) => text.at === place).map(({ text }) => text);
  const ends = [...at('start'), ...at('end')];
  const between = at(undefined).filter(
    (text, index, all) =>
      ![...ends, ...all.slice(0, index)].some((other) => other.includes(text)) &&
      !all.slice(index + 1).some((other) => other !== text && other.includes(text)),
  );
  return [...byLength(at('start')), ...between, ...byLength(at('end')).toReversed()].join(separator);
}

/** Of two beginnings, the longer one may contain the other: then it alone is needed. */
function byLength(texts: readonly string[]): readonly string[] {
  const sorted = texts.toSorted((a, b) => b.length - a.length);
  return sorted.filter((text, index) => !sorted.slice(0, index).some((longer) => longer.includes(text)));
}
