import type { ComponentChildren } from 'preact';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import type { Outcome } from '../run/filter.ts';
import { Text } from '../text/text.tsx';
import './headline.css';

/** What a page comes to, in one sentence and in large type. The sign says no more than the sentence does. */
export function Headline({
  outcome,
  sentence,
  children,
}: {
  readonly outcome: Outcome | 'running' | undefined;
  readonly sentence: string;
  /** What belongs to it: gates, what to do next. */
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="stack gap-4 headline-block">
      <p class="headline">
        {outcome !== undefined && <VerdictMark outcome={outcome} />}
        <span class="headline-text">
          <Lead sentence={sentence} />
        </span>
      </p>
      {children}
    </div>
  );
}

/** A longer sentence has its second part in smaller type, on its own line. */
const LONG = 60;

/** The first part carries the weight; what follows it is quieter. */
function Lead({ sentence }: { readonly sentence: string }) {
  const semicolon = sentence.indexOf('; ');
  // A long reason follows a colon: it is not read in large type.
  const isLong = sentence.length > LONG && (semicolon === -1 || semicolon > LONG);
  const at = isLong ? sentence.indexOf(': ') : semicolon;
  const [lead, rest] = at === -1 ? [sentence, ''] : [sentence.slice(0, at), sentence.slice(at + 2)];
  const joint = sentence.slice(at, at + 2);
  return (
    <>
      <strong>
        <Text value={lead} />
      </strong>
      {rest !== '' && (
        <span class={`headline-rest ${sentence.length > LONG ? 'headline-long' : ''}`}>
          <span class="headline-joint">{joint}</span>
          <Text value={rest} />
        </span>
      )}
    </>
  );
}
