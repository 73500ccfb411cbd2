import { describeOtherCalls } from '../../src/base/model/other-calls-words.ts';
import { approvalWords } from '../../src/base/model/approval-words.ts';
import type { StepRecord } from '../../src/base/model/record.ts';
import { plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** Where the evidence of a step came from, where it is not all from the agent's own report, and what that report left out. */
export function EvidenceNote({ step }: { readonly step: StepRecord }) {
  const {
    models = [],
    model_calls,
    unreported_calls = [],
    usage_complete,
    other_calls = [],
    approvals_asked = [],
  } = step;
  const sources = describeSources(step);
  const facts = [
    ...(sources === '' ? [] : [`Evidence: ${sources}`]),
    ...(model_calls === undefined ? [] : [plural(model_calls, 'model call')]),
    ...(models.length === 0 ? [] : [models.join(', ')]),
    ...other_calls.map(describeOtherCalls),
    ...(usage_complete === false ? ['some calls did not tell their tokens'] : []),
  ];
  const notes = [
    ...(facts.length === 0 ? [] : [facts.join(' · ')]),
    ...approvals_asked.map((asked) => `Permission: ${approvalWords(asked)}`),
    ...(unreported_calls.length === 0
      ? []
      : [`Not reported by the agent: ${unreported_calls.map(({ tool }) => tool).join(', ')}`]),
  ];
  return (
    <>
      {notes.map((note, index) => (
        <p key={index} class="dim evidence">
          <Text value={note} />
        </p>
      ))}
    </>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  output: 'output',
  tool_calls: 'tools',
  output_messages: 'messages',
  token_usage: 'tokens',
  cost_usd: 'cost',
};

/** `tools, tokens observed; cost from prices`. Nothing where the agent reported all of it. */
function describeSources({ evidence = {} }: StepRecord): string {
  const bySource = new Map<string, string[]>();
  for (const [part, source] of Object.entries(evidence)) {
    if (source === undefined || source === 'reported') continue;
    const words = source === 'prices' ? 'from prices' : source;
    bySource.set(words, [...(bySource.get(words) ?? []), NAMES[part] ?? part]);
  }
  return [...bySource].map(([source, parts]) => `${parts.join(', ')} ${source}`).join('; ');
}
