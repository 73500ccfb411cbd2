import type { Evidence } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { plainCalls } from '../made-calls.ts';

/** A type alias instead of an interface, so that it is assignable to JSON. */
export type CheckedQuote = {
  readonly quote: string;
  /** Whether it occurs in the transcript. If not, the judge made it up. */
  readonly found: boolean;
};

/** Looks up every quote in the real transcript. Spaces and line breaks may differ. */
export function createQuoteCheck({
  input_messages,
  reply,
}: Evidence): (quotes: readonly string[]) => readonly CheckedQuote[] {
  const { output, output_messages = [], tool_calls = [] } = reply;
  const said = [input_messages, output, output_messages, plainCalls(tool_calls)];
  const transcript = normalize([...textsIn(said), printJson(said)].join('\n'));
  return (quotes) => {
    return quotes
      .filter((quote) => quote.trim() !== '')
      .map((quote) => ({ quote, found: transcript.includes(normalize(quote)) }));
  };
}

function* textsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values<Json>(value)) yield* textsIn(item);
}

function normalize(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** For people: how many quotes cannot be trusted. */
export function describeQuotes(quotes: readonly CheckedQuote[]): string {
  const missing = quotes.filter(({ found }) => !found).length;
  if (missing === 0) return '';
  return ` (${missing} of ${quotes.length} quotes of the judge ${missing === 1 ? 'does' : 'do'} not occur in the transcript)`;
}
