import type { AskedCall } from '../entry.ts';
import { isSameTool } from '../../base/match/same-tool.ts';
import type { FoundResult } from '../apis/model-api.ts';

/** What a request says about its calls and results. */
export interface RequestResults {
  readonly found: readonly FoundResult[];
  /** The calls that the request repeats. */
  readonly repeated: readonly AskedCall[];
}

/**
 * Which call each result of a request belongs to, as the number of the call in `asked`. Undefined: it is of a call from before the
 * attempt. A request repeats the history, and ids may be missing, used twice, or made up by a framework. So results with the same
 * id, or else of the same tool, are matched from the last one back: it belongs to the last call.
 */
export function matchResults(
  { found, repeated }: RequestResults,
  asked: readonly AskedCall[],
): readonly (number | undefined)[] {
  const ids = new Set(asked.flatMap(({ id }) => id ?? []));
  const present = new Set([...found, ...repeated].flatMap(({ id }) => id ?? []));
  const toolOf = ({ id, tool }: FoundResult): string | undefined =>
    tool ?? (id === undefined ? undefined : repeated.find((call) => call.id === id)?.tool);
  const left = asked.map((call, number) => ({ ...call, number }));
  return found
    .toReversed()
    .map((result) => {
      const tool = toolOf(result);
      const isKnown = result.id !== undefined && ids.has(result.id);
      const at = left.findLastIndex((call) => {
        if (isKnown) return call.id === result.id;
        const isFree = result.id === undefined || call.id === undefined || !present.has(call.id);
        return isFree && tool !== undefined && isSameTool(call.tool, tool);
      });
      return at === -1 ? undefined : left.splice(at, 1)[0]!.number;
    })
    .toReversed();
}
