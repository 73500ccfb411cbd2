import { EVENT_ID } from 'js-yaml';
import { parseYamlEvents } from './syntax.ts';

/** How many lines of a YAML text have a comment. */
export function countComments(text: string): number {
  const parsed = parseYamlEvents(text);
  if ('error' in parsed) return 0;
  let count = 0;
  let end = 0;
  const look = (start: number): void => {
    count += text.slice(end, start).match(COMMENT)?.length ?? 0;
  };
  for (const event of parsed.events) {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart === -1) continue;
    look(event.valueStart);
    end = Math.max(end, event.valueEnd);
  }
  look(text.length);
  return count;
}

/** Outside of scalars, a `#` after a blank or at the beginning of a line starts one. */
const COMMENT = /(?:^|[\s,[\]{}])#[^\n\r]*/g;
