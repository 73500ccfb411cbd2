/** A part of two sequences laid over each other. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly items: readonly string[];
}

/** Beyond this many differences a diff helps nobody, and takes long to find. */
const MAX_DIFFERENCES = 600;

/** The shortest way from one sequence to the other (Myers); all removed and all added when it is too long. */
export function diffSequences(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  return joinParts([
    { kind: 'same', items: before.slice(0, start) },
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    { kind: 'same', items: before.slice(before.length - end) },
  ]);
}

export function diffLines(before: string, after: string): readonly DiffPart[] {
  return diffSequences(before.split('\n'), after.split('\n'));
}

/** Words, runs of blanks, and single other characters. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  return diffSequences(splitWords(before), splitWords(after));
}

/** 0..1: how much of the longer one is in both. */
export function similarity(parts: readonly DiffPart[]): number {
  const sizes = { same: 0, removed: 0, added: 0 };
  for (const { kind, items } of parts) for (const item of items) sizes[kind] += item.length;
  const longer = sizes.same + Math.max(sizes.removed, sizes.added);
  return longer === 0 ? 1 : sizes.same / longer;
}

function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu) ?? [];
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  const whole: readonly DiffPart[] = [
    { kind: 'removed', items: before },
    { kind: 'added', items: after },
  ];
  if (before.length === 0 || after.length === 0) return whole;
  const trace = findTrace(before, after);
  return trace === undefined ? whole : walkBack(before, after, trace);
}

type Frontier = ReadonlyMap<number, number>;

/** How far each diagonal reaches after each number of differences. */
function findTrace(before: readonly string[], after: readonly string[]): readonly Frontier[] | undefined {
  const trace: Frontier[] = [];
  let frontier = new Map<number, number>([[1, 0]]);
  for (let differences = 0; differences <= MAX_DIFFERENCES; differences++) {
    trace.push(frontier);
    const next = new Map<number, number>();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = nextStart(frontier, diagonal, differences);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
    frontier = next;
  }
  return undefined;
}

function goesDown(frontier: Frontier, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && (frontier.get(diagonal - 1) ?? -1) < (frontier.get(diagonal + 1) ?? -1);
}

function nextStart(frontier: Frontier, diagonal: number, differences: number): number {
  return goesDown(frontier, diagonal, differences)
    ? (frontier.get(diagonal + 1) ?? 0)
    : (frontier.get(diagonal - 1) ?? 0) + 1;
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Frontier[],
): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  let x = before.length;
  let y = after.length;
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const frontier = trace[differences]!;
    const isDown = goesDown(frontier, x - y, differences);
    const startX = nextStart(frontier, x - y, differences);
    const startY = startX - (x - y);
    if (x > startX) parts.push({ kind: 'same', items: before.slice(startX, x) });
    x = startX;
    y = startY;
    if (differences === 0) break;
    if (isDown) parts.push({ kind: 'added', items: [after[--y]!] });
    else parts.push({ kind: 'removed', items: [before[--x]!] });
  }
  return parts.reverse();
}

/** Neighbours of one kind become one part; between two same parts, what was removed comes first. */
function joinParts(parts: readonly DiffPart[]): readonly DiffPart[] {
  const joined: { kind: DiffPart['kind']; items: string[] }[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    if (removed.length > 0) joined.push({ kind: 'removed', items: removed });
    if (added.length > 0) joined.push({ kind: 'added', items: added });
    removed = [];
    added = [];
  };
  for (const { kind, items } of parts) {
    if (items.length === 0) continue;
    if (kind === 'removed') removed = removed.concat(items);
    else if (kind === 'added') added = added.concat(items);
    else {
      flush();
      const last = joined.at(-1);
      if (last?.kind === 'same') last.items = last.items.concat(items);
      else joined.push({ kind, items: [...items] });
    }
  }
  flush();
  return joined;
}
