import type { StepRecord } from '../../src/model/record.ts';
import { Pieces } from '../parts/pieces.tsx';
import { formatDuration } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { conversationOf, type Entry } from './conversation.ts';
import { Content } from './content.tsx';
import { EvidenceNote } from './evidence-note.tsx';
import { TraceGapNote } from './trace-gap.tsx';
import { Labelled } from './value-view.tsx';

const FIRST_ENTRIES = 40;

/** What was said and done in a step. */
export function Transcript({
  step,
  isOutputSaid,
}: {
  readonly step: StepRecord;
  readonly isOutputSaid: boolean;
}) {
  return (
    <>
      <ol class="transcript">
        <Pieces items={conversationOf(step, isOutputSaid)} first={FIRST_ENTRIES} what="messages" isList>
          {(entry, index) => <EntryLine key={index} entry={entry} />}
        </Pieces>
      </ol>
      {step.trace_gap !== undefined && <TraceGapNote gap={step.trace_gap} />}
      <EvidenceNote step={step} />
    </>
  );
}

const ROLE_NAMES: Readonly<Record<string, string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Agent',
  tool: 'Tool',
};

function EntryLine({ entry }: { readonly entry: Entry }) {
  if (entry.kind === 'message') {
    return (
      <li class={`entry entry-${Object.hasOwn(ROLE_NAMES, entry.role) ? entry.role : 'other'}`}>
        <span class="role">
          <Text value={ROLE_NAMES[entry.role] ?? entry.role} />
        </span>
        <div class="entry-body">
          <Content content={entry.content} />
        </div>
      </li>
    );
  }
  const { tool, input, output, duration_ms, status } = entry.call;
  return (
    <li class="entry entry-call">
      <span class="role">Call</span>
      <div class="entry-body call">
        <p class="call-line">
          <code class="tool-name">
            <Text value={tool} />
          </code>
          {status !== undefined && (
            <span class="tag">
              <Text value={String(status)} />
            </span>
          )}
          {duration_ms !== undefined && <span class="dim">{formatDuration(duration_ms)}</span>}
        </p>
        {input !== undefined && <Labelled label="Arguments" value={input} />}
        {output !== undefined && <Labelled label="Result" value={output} />}
      </div>
    </li>
  );
}
