import { sampleValues } from '../base/match/matchers/sample-values.ts';
import { printJson } from '../base/model/print-json.ts';
import type { MemoryRule, UnwantedPart, ReplyRequirements } from '../base/model/reply-requirements.ts';

/** What a reply must not have if `negate` inverts an assertion. */
export function negateRequirements({
  about,
  output,
  json,
  texts = [],
  rule,
  memory_rule,
}: ReplyRequirements): ReplyRequirements {
  const unwanted: UnwantedPart[] = [
    ...(output === undefined ? [] : [{ text: output, replaces: true }]),
    ...(json === undefined ? [] : [{ text: printJson(json.value), replaces: true }]),
    ...texts.map(({ text, at }) => ({ text, replaces: at !== undefined })),
    ...(memory_rule === undefined ? [] : unwantedMemory(memory_rule)),
  ];
  return {
    about,
    unwanted,
    rule: rule === undefined ? undefined : { type: 'not', rule },
    memory_rule:
      memory_rule === undefined ? undefined : { ...memory_rule, negate: memory_rule.negate !== true },
  };
}

function unwantedMemory({ path, says }: MemoryRule): readonly UnwantedPart[] {
  if (path === undefined || 'matches' in says) return [];
  if ('equals' in says) return [{ memory: { path, value: says.equals } }];
  if ('fits' in says)
    return sampleValues(says.fits)
      .slice(0, 1)
      .map((value) => ({ memory: { path, value } }));
  return says.exists ? [{ memory: { path, value: 'text' } }] : [];
}
