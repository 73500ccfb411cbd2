import { printJson } from './print-json.ts';
import type { RecordedToolCall } from './reply.ts';

/** Calls in one line, for messages: `search({"city":"Paris"}), book`. */
export function listCalls(calls: readonly RecordedToolCall[]): string {
  if (calls.length === 0) return 'none';
  const shown = calls.slice(0, MOST).map(printCall).join(', ');
  return calls.length > MOST ? `${shown} and ${calls.length - MOST} more` : shown;
}

const MOST = 20;

function printCall({ tool, input }: RecordedToolCall): string {
  if (input === undefined) return tool;
  const text = printJson(input);
  return `${tool}(${text.length > 80 ? `${text.slice(0, 79)}…` : text})`;
}
