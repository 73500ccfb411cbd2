import { useContext, useMemo } from 'preact/hooks';
import type { StepRecord } from '../../src/model/record.ts';
import { Pieces } from '../parts/pieces.tsx';
import { formatDuration } from '../text/format.ts';
import { findRanges, HighlightContext } from '../text/highlight.ts';
import { valueText } from '../text/json/json-text.ts';
import { Text } from '../text/text.tsx';
import { conversationOf, type Entry } from './conversation.ts';
import { Content } from './content.tsx';
import { EvidenceNote } from './evidence-note.tsx';
import { FaultTag } from './fault-notes.tsx';
import { TraceGapNote } from './trace-gap.tsx';
import { Labelled } from './value-view.tsx';

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
      <ol class="transcript">
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
          <FaultTag call={entry.call} />
          {duration_ms !== undefined && <span class="dim">{formatDuration(duration_ms)}</span>}
        </p>
        {input !== undefined && <Labelled label="Arguments" value={input} />}
        {output !== undefined && <Labelled label="Result" value={output} />}
      </div>
    </li>
  );
}
