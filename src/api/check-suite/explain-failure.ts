import type { AssertionRecord } from '../../model/record.ts';
import type { ReplyPart, WantedReply } from '../../model/wanted-reply.ts';
import type { PlacedAssertion } from './assertion-results.ts';

/**
 * Why an assertion that the oracle failed can never hold together with the others. Undefined when that is not certain:
 * the oracle may only not have found the reply that would do.
 */
export function explainFailure(
  failed: PlacedAssertion,
  result: AssertionRecord,
  all: readonly PlacedAssertion[],
): string | undefined {
  const { assertion, wanted } = failed;
  const name = `\`${assertion.name}\``;
  if (wanted.impossible !== undefined) return `${name} cannot hold: ${wanted.impossible}`;
  // The oracle reports everything there is: what cannot be measured with its reply cannot be measured at all.
  if (result.error !== undefined) return `${name} cannot be measured: ${result.error.message}`;
  const parts = wanted.about.filter((part) => !(part in IS_EXACT) || !IS_EXACT[part as ExactPart](wanted));
  const others = all.filter((other) => other !== failed && other.step === failed.step);
  const reasons = (parts.length === 0 ? wanted.about : parts).map((part) =>
    others.find((other) => part in IS_EXACT && IS_EXACT[part as ExactPart](other.wanted)),
  );
  const [rival] = reasons;
  if (rival === undefined || reasons.includes(undefined)) return undefined;
  const { name: other, place } = rival.assertion;
  return `${name} and \`${other}\` (line ${place.line}) exclude each other: ${result.message}`;
}

type ExactPart = Exclude<ReplyPart, 'measures'>;

/** Whether what is wanted leaves no choice about a part of the reply. */
const IS_EXACT: Readonly<Record<ExactPart, (wanted: WantedReply) => boolean>> = {
  output: ({ output }) => output !== undefined,
  tools: ({ tools_used }) => tools_used !== undefined,
  memory: ({ memory, memory_values = [] }) =>
    memory !== undefined || memory_values.some(({ isSample }) => isSample !== true),
};
