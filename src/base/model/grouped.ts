/** An integer with commas: 12,345. `toLocaleString` loads the data of all languages, which takes as long as 100 files do. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 test`, `12,345 tests`. */
export function numbered(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}
