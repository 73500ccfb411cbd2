import { useMemo } from 'preact/hooks';
import { ChangeList } from '../diff/change-list.tsx';
import { InlineWords, LineDiff, textView } from '../diff/text-diff.tsx';
import { changesOf } from '../diff/value-diff.tsx';
import { RichText } from '../text/rich-text.tsx';

/** An answer, with what it has that the reference has not, and the other way round. */
export function AnswerDiff({
  answer,
  reference,
}: {
  readonly answer: string;
  /** Undefined: the answer is shown alone. */
  readonly reference: string | undefined;
}) {
  const changes = useMemo(
    () => (reference === undefined || reference === answer ? undefined : changesOf(reference, answer)),
    [answer, reference],
  );
  const view = useMemo(
    () => (reference === undefined || changes !== undefined ? undefined : textView(reference, answer)),
    [answer, reference, changes],
  );
  if (changes !== undefined)
    return (
      <>
        <RichText value={answer} />
        <ChangeList changes={changes} tone="change" />
      </>
    );
  if (view?.kind === 'words') return <InlineWords parts={view.parts} />;
  if (view?.kind === 'lines') return <LineDiff lines={view.lines} tone="change" />;
  return (
    <>
      {view !== undefined && (
        <p class="answer-note dim">
          {view.kind === 'equal' ? 'The same answer' : 'Too different for a word diff'}
        </p>
      )}
      <RichText value={answer} />
    </>
  );
}
