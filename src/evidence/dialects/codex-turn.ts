import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { listAt, objectAt, textAt } from '../foreign-fields.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import { objectDialect } from './dialect.ts';
import { codexUsage, readItems, SHELLS } from './codex-events.ts';

/** What `thread.run` of the Codex SDK gives. */
export const CODEX_TURN = objectDialect({
  name: 'a Codex turn',
  isMarked,
  read(turn) {
    const items = (listAt(turn, 'items') ?? []).filter(isJsonObject);
    return {
      ...traceOfEntries(readItems(items)),
      output: textAt(turn, 'finalResponse'),
      token_usage: codexUsage(objectAt(turn, 'usage')),
      tool_aliases: SHELLS,
    };
  },
});

function isMarked(value: JsonObject): boolean {
  const isTyped = (item: Json): boolean => textAt(item, 'type') !== undefined;
  return textAt(value, 'finalResponse') !== undefined && listAt(value, 'items')?.every(isTyped) === true;
}
