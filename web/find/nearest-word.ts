/** The word that was probably meant; undefined if none is near. */
export function nearestWord(written: string, words: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(written.length / 3));
  const near = words
    .map((word) => ({ word, distance: word.startsWith(written) ? 0.5 : distance(written, word) }))
    .filter(({ distance: one }) => one <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

/** How many letters differ: added, left out, changed, or two swapped. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(change, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
