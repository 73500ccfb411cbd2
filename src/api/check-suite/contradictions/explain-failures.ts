import { findText } from '../../../base/match/text-language/find-text.ts';
import type { AttemptRecord } from '../../../base/model/record.ts';
import type { CallRule, ReplyPart } from '../../../base/model/reply-requirements.ts';
import { holdsFully, resultOf, type PlacedAssertion } from '../assertion-results.ts';
import { findCore } from './find-core.ts';
import { areImpossibleCalls, areImpossibleOverSteps } from './impossible-calls.ts';
import { isImpossibleMemory } from './impossible-memory.ts';

/** Why an assertion cannot hold: by itself, or together with others. */
export interface Explanation {
  readonly own: PlacedAssertion;
  readonly why: string;
}

/**
 * Proofs that an assertion the oracle did not satisfy cannot be satisfied. Without a proof, the oracle may simply
 * not have found the right reply.
 */
export function explainFailures(
  record: AttemptRecord,
  assertions: readonly PlacedAssertion[],
  lastStep: number,
): readonly Explanation[] {
  const failed = assertions.filter((own) => !holdsFully(record, own));
  const explained = new Map<PlacedAssertion, string>();
  for (const own of failed) {
    const why = explainAlone(own, record);
    if (why !== undefined) explained.set(own, why);
  }
  // An assertion of weight 0 is only shown: its author may want to see that it cannot hold beside others.
  const counted = assertions.filter(({ weight }) => weight > 0);
  const alone = failed.filter(({ weight }) => weight === 0);
  for (const some of [counted, ...alone.map((own) => [own])])
    for (const { group, isImpossible } of scopes(some, lastStep)) {
      if (!group.some((own) => failed.includes(own))) continue;
      const core = findCore(group, isImpossible);
      if (core === undefined) continue;
      const own = core.findLast((candidate) => failed.includes(candidate)) ?? core.at(-1)!;
      if (!explained.has(own)) explained.set(own, explainCore(own, core, record));
    }
  for (const own of failed) {
    const why = explained.has(own) ? undefined : explainByExactOutput(own, record, assertions);
    if (why !== undefined) explained.set(own, why);
  }
  return [...explained].map(([own, why]) => ({ own, why }));
}

function explainAlone(
  { assertion, wanted, ...placed }: PlacedAssertion,
  record: AttemptRecord,
): string | undefined {
  const name = `\`${assertion.name}\``;
  if (wanted.impossible !== undefined) return `${name} can never pass: ${wanted.impossible}`;
  const result = resultOf(record, { assertion, wanted, ...placed });
  if (result === undefined) return `the step is not answered: ${record.error?.message ?? ''}`;
  // The oracle reports everything there is: what cannot be measured with its reply cannot be measured at all.
  return result.error === undefined ? undefined : `${name} cannot be measured: ${result.error.message}`;
}

/** Assertions about the same thing, and when some of them cannot hold together. */
interface Scope {
  readonly group: readonly PlacedAssertion[];
  readonly isImpossible: (some: readonly PlacedAssertion[]) => boolean;
}

/** The whole test looks at the output and memory of its last step, and at the tool calls of all steps. */
function* scopes(assertions: readonly PlacedAssertion[], lastStep: number): Generator<Scope> {
  const about = (part: ReplyPart): readonly PlacedAssertion[] =>
    assertions.filter(({ wanted }) => wanted.about.includes(part));
  for (let step = 0; step <= lastStep; step++) {
    const isHere = (own: PlacedAssertion): boolean => (own.step ?? lastStep) === step;
    yield { group: about('output').filter(isHere), isImpossible: isImpossibleOutput };
    yield {
      group: about('memory').filter(isHere),
      isImpossible: (some) => isImpossibleMemory(some.flatMap(({ wanted }) => wanted.memory_rule ?? [])),
    };
    yield {
      group: about('tools').filter((own) => own.step === step),
      isImpossible: (some) => areImpossibleCalls(callRules(some)),
    };
  }
  if (assertions.some(({ step }) => step === undefined))
    yield {
      group: about('tools'),
      isImpossible: (some) => {
        const of = (step: number | undefined) => callRules(some.filter((own) => own.step === step));
        const steps = Array.from({ length: lastStep + 1 }, (_, step) => of(step));
        return areImpossibleCalls(of(undefined)) || areImpossibleOverSteps(of(undefined), steps);
      },
    };
}

function isImpossibleOutput(some: readonly PlacedAssertion[]): boolean {
  const rules = some.flatMap(({ wanted: { rule, necessary_rule: necessary } }) => rule ?? necessary ?? []);
  return rules.length > 0 && findText(rules) === 'none';
}

function callRules(some: readonly PlacedAssertion[]): readonly CallRule[] {
  return some.flatMap(({ wanted }) => wanted.call_rule ?? []);
}

function explainCore(own: PlacedAssertion, core: readonly PlacedAssertion[], record: AttemptRecord): string {
  const name = `\`${own.assertion.name}\``;
  const message = resultOf(record, own)?.message ?? '';
  if (core.length === 1)
    return `\`${own.assertion.name}\` can never pass: ${WHY_NEVER[own.wanted.about[0]!]}`;
  const others = core
    .filter((other) => other !== own)
    .map(({ assertion }) => `\`${assertion.name}\` (line ${assertion.place.line})`);
  return `${name} and ${others.join(' and ')} contradict each other: ${message}`;
}

const WHY_NEVER: Readonly<Record<ReplyPart, string>> = {
  output: 'no output satisfies it',
  tools: 'its conditions on the calls contradict each other',
  memory: 'no memory satisfies it',
  duration: 'no reply satisfies it',
  usage: 'no reply satisfies it',
  approvals: 'no requests satisfy it',
};

/** Another assertion fixes the output or its JSON completely, and this one does not hold for it. */
function explainByExactOutput(
  own: PlacedAssertion,
  record: AttemptRecord,
  all: readonly PlacedAssertion[],
): string | undefined {
  const { about } = own.wanted;
  if (about.length !== 1 || about[0] !== 'output' || own.weight === 0) return undefined;
  const rival = all.find(
    (other) =>
      other !== own &&
      other.step === own.step &&
      other.weight > 0 &&
      (other.wanted.output !== undefined ||
        (other.wanted.json?.isExact === true && own.wanted.json?.isWhole === true)) &&
      holdsFully(record, other),
  );
  if (rival === undefined) return undefined;
  const { name, place } = rival.assertion;
  return `\`${own.assertion.name}\` and \`${name}\` (line ${place.line}) contradict each other: ${resultOf(record, own)?.message ?? ''}`;
}
