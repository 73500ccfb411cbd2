import { printJson } from '../model/print-json.ts';
import type { UnwantedPart, WantedReply } from '../model/wanted-reply.ts';
import { unionCalls } from './union-calls.ts';

/** What a reply must have that is to satisfy all of them. Where two exclude each other, the first one counts. */
export function joinWanted(wanted: readonly WantedReply[]): WantedReply {
  const first = <K extends keyof WantedReply>(key: K): WantedReply[K] =>
    wanted.find((want) => want[key] !== undefined)?.[key] as WantedReply[K];
  return {
    about: [...new Set(wanted.flatMap(({ about }) => about))],
    output: first('output'),
    said: first('said'),
    json: first('json'),
    texts: wanted.flatMap(({ texts = [] }) => texts),
    tools_used: first('tools_used'),
    calls: unionCalls(wanted.map(({ calls = [] }) => calls)),
    memory: first('memory'),
    memory_values: wanted.flatMap(({ memory_values = [] }) => memory_values),
    unwanted: wanted.flatMap(({ unwanted = [] }) => unwanted),
    impossible: first('impossible'),
  };
}

/** What a reply must not have, where an assertion is turned round by `negate`. */
export function refuseWanted({
  about,
  output,
  json,
  texts = [],
  memory_values = [],
}: WantedReply): WantedReply {
  const unwanted: UnwantedPart[] = [
    ...(output === undefined ? [] : [{ text: output, replaces: true }]),
    ...(json === undefined ? [] : [{ text: printJson(json.value), replaces: true }]),
    ...texts.map(({ text, at }) => ({ text, replaces: at !== undefined })),
    ...memory_values.map((memory) => ({ memory })),
  ];
  return { about, unwanted };
}
