import { useContext, useMemo } from 'preact/hooks';
import type { StepRecord } from '../../src/base/model/record.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';
import { Icon } from '../parts/icon.tsx';
import { Pieces } from '../parts/pieces.tsx';
import { formatDuration } from '../text/format.ts';
import { findRanges, HighlightContext } from '../text/highlight.ts';
import { valueText } from '../text/json/json-text.ts';
import { Text } from '../text/text.tsx';
import { CallButton, CallContext } from './call-links.tsx';
import { conversationOf, type Entry } from './conversation.ts';
import { Content } from './content.tsx';
import { EvidenceNote } from './evidence-note.tsx';
import { FaultTag } from './fault-notes.tsx';
import { TraceGapNote } from './trace-gap.tsx';
import { Labelled } from './value-view.tsx';
import './transcript.css';

const FIRST_ENTRIES = 40;
const MOST_ENTRIES = 1000;

/** What was said and done in a step. */
export function Transcript({
  step,
  isOutputSaid,
}: {
  readonly step: StepRecord;
  readonly isOutputSaid: boolean;
}) {
  const entries = useMemo(() => conversationOf(step, isOutputSaid), [step, isOutputSaid]);
  const first = useFirstEntries(entries);
  return (
    <>
      <ol class="stack transcript">
        <Pieces key={first} items={entries} first={first} what="messages" isList>
          {(entry, index) => <EntryLine key={index} entry={entry} />}
        </Pieces>
      </ol>
      {step.trace_gap !== undefined && <TraceGapNote gap={step.trace_gap} />}
      <EvidenceNote step={step} />
    </>
  );
}

/** All up to the last one with something marked, so that it can be found; not more than a page can bear. */
function useFirstEntries(entries: readonly Entry[]): number {
  const highlights = useContext(HighlightContext);
  return useMemo(() => {
    if (highlights.length === 0 || entries.length <= FIRST_ENTRIES) return FIRST_ENTRIES;
    const last = entries.findLastIndex((entry) => findRanges(textOf(entry), highlights).length > 0);
    return Math.min(MOST_ENTRIES, Math.max(FIRST_ENTRIES, last + 1));
  }, [entries, highlights]);
}

function textOf(entry: Entry): string {
  if (entry.kind === 'message') return valueText(entry.content);
  const { tool, input = '', output = '' } = entry.call;
  return [tool, valueText(input), valueText(output)].join('\n');
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
        <span class="label role">
          <Text value={ROLE_NAMES[entry.role] ?? entry.role} />
        </span>
        <div class="entry-body">
          <Content content={entry.content} />
        </div>
      </li>
    );
  }
  return <CallLine call={entry.call} />;
}

function CallLine({ call }: { readonly call: RecordedToolCall }) {
  const { keyOf, bad } = useContext(CallContext);
  const key = keyOf.get(call);
  const isBad = key !== undefined && bad.has(key);
  const { tool, input, output, duration_ms, status } = call;
  return (
    <li class={`entry entry-call${isBad ? ' is-bad' : ''}`} data-call={key}>
      <span class="label role">Call</span>
      <div class="entry-body stack gap-1">
        <p class="line call-line">
          <CallButton callKey={key}>
            <code class="tool-name">
              <Text value={tool} />
            </code>
          </CallButton>
          {isBad && (
            <span class="mark-failed">
              <Icon name="failed" /> not expected
            </span>
          )}
          {status !== undefined && (
            <span class="tag">
              <Text value={String(status)} />
            </span>
          )}
          <FaultTag call={call} />
          {duration_ms !== undefined && <span class="dim">{formatDuration(duration_ms)}</span>}
        </p>
        {input !== undefined && <Labelled label="Arguments" value={input} />}
        {output !== undefined && <Labelled label="Result" value={output} />}
      </div>
    </li>
  );
}
