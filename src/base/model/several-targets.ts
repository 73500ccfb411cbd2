/** The names of a run's targets, in the order in which they were named; undefined if there is only one. */
export function severalTargets(
  targets: readonly { readonly name: string }[] = [],
): readonly string[] | undefined {
  const names = [...new Set(targets.map(({ name }) => name))];
  return names.length < 2 ? undefined : names;
}
