import type { YamlNode } from './syntax.ts';

/** Whether two trees of one text are the same, with the same text in every scalar. */
export function haveSameShape(a: YamlNode | undefined, b: YamlNode | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.start !== b.start || a.tag !== b.tag || a.size !== b.size) return false;
  // The value of an alias is compared where it is written.
  if (a.kind === 'alias') return b.kind === 'alias' && a.target.start === b.target.start;
  if (a.kind === 'scalar') return b.kind === 'scalar' && a.text === b.text && a.isPlain === b.isPlain;
  if (a.kind === 'sequence')
    return b.kind === 'sequence' && a.items.every((item, index) => haveSameShape(item, b.items[index]));
  return (
    b.kind === 'mapping' &&
    a.entries.every(
      ({ key, value }, index) =>
        haveSameShape(key, b.entries[index]?.key) && haveSameShape(value, b.entries[index]?.value),
    )
  );
}
