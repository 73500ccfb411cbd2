import { useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { Shown } from '../../text/text.tsx';
import type { Quote } from './read-judgement.ts';

const MAX_LENGTH = 400;

/** What a judge quotes. A quote leads to its place in the transcript; one that is not there says so. */
export function QuoteList({ quotes }: { readonly quotes: readonly Quote[] }) {
  if (quotes.length === 0) return null;
  return (
    <ul class="stack quotes">
      {quotes.map((quote, index) => (
        <li key={index}>{quote.isFound ? <FoundQuote {...quote} /> : <LostQuote {...quote} />}</li>
      ))}
    </ul>
  );
}

function FoundQuote({ text }: Quote) {
  const [isLost, setLost] = useState(false);
  return (
    <>
      <button type="button" class="quote" onClick={() => setLost(!showQuote(text))}>
        <Words text={text} />
        <span class="visually-hidden"> Show it in the transcript</span>
      </button>
      {isLost && <span class="dim"> It is in the transcript, but not in one piece of text.</span>}
    </>
  );
}

function LostQuote({ text }: Quote) {
  return (
    <span class="quote is-lost">
      <Words text={text} />
      <span class="lost-note">
        <Icon name="failed" /> not in the transcript
      </span>
    </span>
  );
}

function Words({ text }: { readonly text: string }) {
  return (
    <q dir="auto">
      <Shown text={text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text} />
    </q>
  );
}

/** Goes to the first mark of a quote. False if there is none. */
function showQuote(text: string): boolean {
  const marks = [...document.querySelectorAll<HTMLElement>('mark[data-quote]')].filter(
    (mark) => mark.dataset['quote'] === text,
  );
  const [first] = marks;
  if (first === undefined) return false;
  for (const shown of document.querySelectorAll('mark.is-shown')) shown.classList.remove('is-shown');
  for (const mark of marks) mark.classList.add('is-shown');
  for (let inside = first.parentElement; inside !== null; inside = inside.parentElement)
    if (inside instanceof HTMLDetailsElement) inside.open = true;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: 'center' });
  return true;
}
