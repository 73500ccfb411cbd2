import type { JsonScan } from '../../base/match/scan-json.ts';

/**
 * What is wrong with a text that starts like JSON but cannot be an answer: half an object, or a reply that is not
 * valid JSON.
 */
export function describeBroken(block: string, kind: JsonScan['kind']): string | undefined {
  if (kind === 'broken_off' && /^(?:\{|\[\s*["{[])/.test(block))
    return `ends in the middle of a JSON object: ${tail(block)}`;
  if (kind === 'invalid' && REPLY_START.test(block))
    return `starts like a reply, but is not valid JSON: ${head(block)}`;
  return undefined;
}

/** Includes objects as Python and JavaScript show them: `{'output': ...}`, `{ output: ... }`. */
const REPLY_START =
  /^\{\s*(?:['"][^]*)?(?<!\w)(['"]?)(?:output|text|output_messages|tools_used|tool_calls)\1\s*:/;

function head(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

function tail(text: string): string {
  return text.length <= SHOWN ? text : `…${text.slice(-SHOWN)}`;
}

const SHOWN = 120;
