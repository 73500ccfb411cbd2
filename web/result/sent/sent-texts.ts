import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { LEFT_OUT_TEXT, TEXT, TEXT_ID } from '../../../src/base/model/sent-texts.ts';
import type { Json } from '../../../src/base/model/json.ts';
import { parseExactJson } from '../../source/parse-exact-json.ts';
import { useLoaded } from '../../source/use-loaded.ts';

/** Reads texts of the run that is shown. An id that is not in the answer is missing. */
export type ReadTexts = (
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string>>>;

export const TextsContext = createContext<ReadTexts>(() => Promise.resolve({}));

/** A part of what was sent, or why it cannot be shown. */
export type SentPart = { readonly value: Json } | { readonly problem: string };

/** The parts of a request. A part that is undefined was not sent. */
export function useSentParts(
  parts: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof useLoaded<Readonly<Record<string, SentPart>>>> {
  const readTexts = useContext(TextsContext);
  return useLoaded(
    async (signal) => {
      const ids = Object.values(parts).filter((part) => part?.startsWith(TEXT_ID) === true) as string[];
      const texts = ids.length === 0 ? {} : await readTexts([...new Set(ids)], signal);
      const read = Object.entries(parts).flatMap(([name, part]) =>
        part === undefined ? [] : [[name, readPart(part, texts)] as const],
      );
      return Object.fromEntries(read);
    },
    [parts, readTexts],
  );
}

function readPart(part: string, texts: Readonly<Record<string, string>>): SentPart {
  if (part === LEFT_OUT_TEXT)
    return { problem: 'Left out: what models were sent in this run is larger than a run keeps.' };
  const json = part.startsWith(TEXT) ? part.slice(TEXT.length) : texts[part];
  if (json === undefined)
    return { problem: 'Missing: the run refers to this text, but does not contain it, or it is damaged.' };
  try {
    return { value: parseExactJson(json) as Json };
  } catch {
    // It was cut, or a secret in it was no string.
    return { value: json };
  }
}
