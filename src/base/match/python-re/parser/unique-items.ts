import type { SetItem } from '../syntax-tree.ts';

/** Keeps the first of equal items; a range of one character is not equal to that character. */
export function uniqueItems(items: readonly SetItem[]): SetItem[] {
  return [...new Map(items.map((item) => [itemKey(item), item])).values()];
}

export function itemKey(item: SetItem): string {
  switch (item.type) {
    case 'character':
      return String(item.codePoint);
    case 'range':
      return `${item.low}-${item.high}`;
    case 'category':
      return `${item.negated ? 'not ' : ''}${item.category}`;
  }
}
