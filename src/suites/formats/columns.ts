/** Counts code points between two offsets of one text. */
export interface ColumnCounter {
  between(start: number, end: number): number;
}

const STEP = 256;
const SURROGATE = /[\ud800-\udfff]/;

/**
 * A file may be one line of megabytes with a place for every test in it, so counting from the line's start each
 * time would be quadratic: the count before every 256th unit is remembered.
 */
export function createColumnCounter(text: string): ColumnCounter {
  // Without surrogate pairs, as in most texts, every unit is a code point.
  if (!SURROGATE.test(text)) return { between: (start, end) => end - start };
  let before: Uint32Array | undefined;
  const upTo = (offset: number): number => {
    before ??= countSteps(text);
    const step = Math.floor(offset / STEP);
    return before[step]! + countCodePoints(text, step * STEP, offset);
  };
  return {
    between: (start, end) =>
      end - start <= STEP ? countCodePoints(text, start, end) : upTo(end) - upTo(start),
  };
}

function countSteps(text: string): Uint32Array {
  const counts = new Uint32Array(Math.floor(text.length / STEP) + 1);
  for (let step = 1; step < counts.length; step++) {
    counts[step] = counts[step - 1]! + countCodePoints(text, (step - 1) * STEP, step * STEP);
  }
  return counts;
}

/** The second half of a pair counts nothing, even if its first half is before `start`. */
function countCodePoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index++) {
    const isLowHalf = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    const followsHighHalf = index > 0 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
    if (!isLowHalf || !followsHighHalf) count++;
  }
  return count;
}
