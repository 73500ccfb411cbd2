import { joinWanted } from '../../assertions/join-wanted.ts';
import { wantedByMessages } from '../../assertions/wanted-by-messages.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordedToolCall } from '../../model/reply.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import type { CheckableTest } from './checkable-test.ts';
import { leftForLastStep, oracleCalls } from './oracle-calls.ts';
import { oracleMemory } from './oracle-memory.ts';
import { outputCandidates, type Spoken } from './oracle-output.ts';
import { EMPTY_REPLY, type OracleReply } from './oracle-reply.ts';

/** One way to answer a test: a reply for each step. */
export interface Candidate {
  readonly replies: readonly OracleReply[];
  /** Its outputs are those that the test itself gives as the expected answer. */
  readonly isExpectedAnswer: boolean;
}

/** The ways to answer a test so that it passes, the most likely first. Only running them tells which of them does. */
export function buildOracle(checkable: CheckableTest): readonly Candidate[] {
  const parts = stepParts(checkable);
  const outputs = parts.map(({ wanted }) => outputCandidates(wanted));
  const ways = Math.max(1, ...outputs.map(({ length }) => length));
  const candidates: Candidate[] = [];
  if (parts.some(({ answer }) => answer !== undefined)) {
    const spoken = parts.map(({ answer }, step) => answer ?? outputs[step]![0] ?? SILENCE);
    candidates.push({ replies: replies(parts, spoken), isExpectedAnswer: true });
  }
  for (let way = 0; way < ways; way++) {
    const spoken = parts.map(({ answer }, step) => {
      const all = outputs[step]!;
      return all[Math.min(way, all.length - 1)] ?? answer ?? SILENCE;
    });
    if (!candidates.some((candidate) => isSaid(candidate, spoken)))
      candidates.push({ replies: replies(parts, spoken), isExpectedAnswer: false });
  }
  return candidates;
}

const SILENCE: Spoken = { said: [], output: '' };

interface StepParts {
  readonly wanted: WantedReply;
  /** The expected answer of the step. */
  readonly answer: Spoken | undefined;
  readonly calls: readonly RecordedToolCall[];
  readonly memory: JsonObject;
}

function stepParts({ test, steps, whole }: CheckableTest): readonly StepParts[] {
  const parts: StepParts[] = [];
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const earlier = parts.flatMap(({ calls }) => calls);
    const ofWhole = isLast ? whole.map(({ wanted }) => leftForLastStep(wanted, earlier)) : [];
    const wanted = joinWanted([...step.map((own) => own.wanted), ...ofWhole]);
    const answer = wantedByMessages(test.steps[index]!.expected_messages);
    const before = parts.at(-1)?.memory ?? test.memory ?? {};
    parts.push({
      wanted,
      answer: outputCandidates(answer)[0],
      calls: oracleCalls(wanted.about.includes('tools') ? wanted : answer),
      memory: oracleMemory(before, wanted),
    });
  }
  return parts;
}

function replies(parts: readonly StepParts[], spoken: readonly Spoken[]): readonly OracleReply[] {
  return parts.map(({ calls, memory }, step) => ({ ...EMPTY_REPLY, ...spoken[step]!, calls, memory }));
}

function isSaid({ replies: made }: Candidate, spoken: readonly Spoken[]): boolean {
  return made.every(({ output, said }, step) => {
    const other = spoken[step]!;
    return output === other.output && said.join('\0') === other.said.join('\0');
  });
}
