import type { Unit } from './grouping.ts';

/** A readable id: the description or the number of the test, and what tells its cases apart. */
export function caseId(group: readonly Unit[], all: readonly Unit[], taken: Set<string>): string {
  const [first] = group as readonly [Unit, ...Unit[]];
  if (group.length > 1 && first.rowId !== undefined) {
    for (const { rowId } of group) taken.add(rowId!);
    return '{{id}}';
  }
  const last = group.at(-1)!.plan;
  const { plan, prompt, combination } = first;
  const isOneTest = plan === last;
  const base = isOneTest
    ? (plan.description ?? `test-${plan.number}`)
    : `tests-${plan.number}-${last.number}`;
  const hasPrompts = hasSeveralPrompts(all);
  const details = [
    ...(group.length === 1 && combination !== '' ? [combination] : []),
    ...(hasPrompts ? [prompt.label] : []),
  ].map(shorten);
  const wanted = [base.replaceAll(/\s+/g, ' ').trim(), ...details].join(' / ');
  // In a case with rows, an id with braces would be a template.
  const plain = group.length > 1 ? wanted.replaceAll(/[{}]/g, '') : wanted;
  let id = plain;
  for (let count = 2; taken.has(id); count++) id = `${plain}#${count}`;
  taken.add(id);
  return id;
}

const LONGEST = 60;

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, LONGEST);
}

function hasSeveralPrompts(all: readonly Unit[]): boolean {
  return all.some(({ prompt }) => prompt !== all[0]!.prompt);
}

/** Tests with descriptions of their own keep them as the ids of their rows. */
export function withRowIds(
  group: readonly Unit[],
  all: readonly Unit[],
  taken: ReadonlySet<string>,
): readonly Unit[] {
  const hasPrompts = hasSeveralPrompts(all);
  const ids = group.map(({ plan: { description }, prompt }) => {
    const own = description?.replaceAll(/\s+/g, ' ').trim();
    return own === undefined || own === '' || !hasPrompts ? own : `${own} / ${shorten(prompt.label)}`;
  });
  const areUsable = ids.every((id) => id !== undefined && id !== '' && !taken.has(id));
  const areDifferent = new Set(ids).size === group.length;
  return areUsable && areDifferent ? group.map((unit, index) => ({ ...unit, rowId: ids[index] })) : group;
}
