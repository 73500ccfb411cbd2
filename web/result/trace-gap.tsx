import type { TraceGap } from '../../src/base/model/reply.ts';
import { Text } from '../text/text.tsx';

/** Why the tool calls of a step are not known: what is listed of them may be wrong, and nothing listed does not mean none. */
export function TraceGapNote({ gap }: { readonly gap: TraceGap }) {
  return (
    <p class="dim trace-gap">
      Tool calls unknown: <Text value={describeGap(gap)} />
    </p>
  );
}

function describeGap({ kind, at = '', form = '' }: TraceGap): string {
  switch (kind) {
    case 'missing':
      return 'the agent did not report them, and no model call was observed.';
    case 'left_out':
      return 'the agent did not report them, and no model call was observed. Step tests take this for none.';
    case 'unreadable':
      return `${at} holds a call in a form that Assay does not read (${form}).`;
    case 'contradictory':
      return `${at} disagree.`;
    case 'incomplete':
      return `a source of evidence is incomplete (${at}: ${form}).`;
    case 'unattributed':
      return 'several attempts were under way, and a model call could belong to any of them.';
  }
}
