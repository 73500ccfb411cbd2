import { isJsonObject, ownValue, type Json } from './json.ts';
import { parseStrictJson } from './parse-strict-json.ts';

/** Why a script failed, in its own words: the end of stderr, else of stdout. Empty if it printed nothing. */
export function lastPrinted({
  stdout,
  stderr,
}: {
  readonly stdout: string;
  readonly stderr: string;
}): string {
  const reason = reasonIn(stdout);
  const errors = tail(stderr);
  if (errors !== '')
    return `; the end of its stderr:\n${reason === undefined ? errors : `${errors}\n${reason}`}`;
  const printed = reason ?? tail(stdout);
  return printed === '' ? '' : `; the end of its stdout:\n${printed}`;
}

/** Some judges catch their own errors and print a result that explains them. */
function reasonIn(stdout: string): string | undefined {
  let printed: Json;
  try {
    printed = parseStrictJson(stdout.trim());
  } catch {
    return undefined;
  }
  const reason = isJsonObject(printed) ? ownValue(printed, 'reasoning') : undefined;
  return typeof reason === 'string' && reason.trim() !== '' ? tail(reason) : undefined;
}

function tail(text: string): string {
  const last = text.trimEnd().split('\n').slice(-LINES).join('\n').slice(-CHARACTERS);
  return last.trim() === '' ? '' : last;
}

const LINES = 20;
const CHARACTERS = 2000;
