import { runName } from './run-name.ts';

const MAX_NAMED = 3;

/**
 * A name for each set of files: the usual one, and for sets that would share it, one with the files by which they
 * differ.
 */
export function nameFileSets(sets: readonly (readonly string[])[]): (files: readonly string[]) => string {
  const byName = new Map<string, Map<string, readonly string[]>>();
  for (const set of sets) {
    const files = [...new Set(set)].toSorted();
    const name = runName({ files });
    const same = byName.get(name) ?? new Map<string, readonly string[]>();
    byName.set(name, same.set(keyOf(files), files));
  }
  const names = new Map<string, string>();
  for (const [name, same] of byName)
    for (const [key, files] of same)
      names.set(key, same.size === 1 ? name : nameApart(name, files, [...same.values()]));
  numberEqual(names);
  return (files) => names.get(keyOf(files)) ?? runName({ files });
}

function keyOf(files: readonly string[]): string {
  return JSON.stringify([...new Set(files)].toSorted());
}

function nameApart(name: string, files: readonly string[], sets: readonly (readonly string[])[]): string {
  const own = files.filter((file) => !sets.every((set) => set.includes(file))).map(lastPart);
  const shown = own.slice(0, MAX_NAMED).join(', ');
  const rest = own.length - MAX_NAMED;
  return `${name}: ${own.length === 0 ? 'only these' : shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Names that are still equal get a number. */
function numberEqual(names: Map<string, string>): void {
  const counts = new Map<string, number>();
  for (const [key, name] of names) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count > 1) names.set(key, `${name} (${count})`);
  }
}

function lastPart(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
