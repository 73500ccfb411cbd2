import { BRACE_OPEN, BRACKET_OPEN, COMMA } from '../../base/model/json-text.ts';
import { LIMITS } from './limits.ts';

/** Whether a text of JSON is sure to have no more values than it may have. */
export function hasFewValues(text: string): boolean {
  return text.length <= LIMITS.nodes || mostValues(text) <= LIMITS.nodes;
}

/** Not fewer than there are: every value but the first has a comma or a bracket before it. */
function mostValues(text: string): number {
  let count = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACKET_OPEN || code === BRACE_OPEN) count++;
  }
  return count;
}
