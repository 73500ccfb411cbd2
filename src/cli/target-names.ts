/** The targets of `--target a,b` and `--target a --target b`, each once. In `a\,b` the comma is part of the name. */
export function targetNames(given: readonly string[] | undefined): string | readonly string[] | undefined {
  const names = [...new Set((given ?? []).flatMap(split))];
  return names.length <= 1 ? names[0] : names;
}

/** What is wrong with the names; undefined if nothing is. */
export function targetProblem(given: readonly string[] | undefined, agent?: string): string | undefined {
  if (agent !== undefined && Array.isArray(targetNames(given)))
    return '--agent and several targets cannot be used together: remove one of them';
  if (given === undefined || !given.flatMap(split).includes('')) return undefined;
  return `--target has an empty name: "${given.join(' ')}"`;
}

function split(text: string): readonly string[] {
  return text.split(/(?<!\\),/).map((name) => name.trim().replaceAll(String.raw`\,`, ','));
}
