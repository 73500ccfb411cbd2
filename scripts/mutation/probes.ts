import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { isNode, type Node } from './mutants.ts';

/** A piece of source that runs as a whole or not at all, up to the smaller pieces inside it. */
export interface Probe {
  /** The same for the same text: it outlives changes elsewhere in the file. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly how: 'module' | 'statement' | 'body' | 'expression';
}

/** The probes of a file: outer ones before the ones inside them. */
export function probesOf(source: string, file: string): readonly Probe[] {
  const probes: Probe[] = [{ key: file, start: 0, end: source.length, how: 'module' }];
  const times = new Map<string, number>();
  const add = ({ start, end }: Node, how: Probe['how']): void => {
    const digest = createHash('sha1').update(source.slice(start, end)).digest('hex').slice(0, 12);
    const time = (times.get(digest) ?? 0) + 1;
    times.set(digest, time);
    probes.push({ key: `${file}#${digest}.${time}`, start, end, how });
  };
  const visit = (node: Node, parent: Node | undefined): void => {
    const how = parent === undefined ? undefined : probed(node, parent);
    if (how !== undefined) add(node, how);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isNode(child)) visit(child, node);
  };
  visit(parseSync(file, source).program as unknown as Node, undefined);
  return probes;
}

/** The smallest probe around a place. */
export function probeAt(
  probes: readonly Probe[],
  { start, end }: { readonly start: number; readonly end: number },
): Probe {
  return probes.findLast((probe) => probe.start <= start && end <= probe.end)!;
}

/** The source, telling `hit` of `module` the key of each probe that it runs through. */
export function addProbes(source: string, probes: readonly Probe[], module: string): string {
  const inserted: { readonly at: number; readonly text: string }[] = [];
  for (const { key, start, end, how } of probes) {
    const hit = `__hit(${JSON.stringify(key)})`;
    if (how === 'module')
      inserted.push({ at: 0, text: `import { hit as __hit } from '${module}'; ${hit}; ` });
    if (how === 'statement') inserted.push({ at: start, text: `${hit}; ` });
    if (how === 'body') inserted.push({ at: start, text: `{ ${hit}; ` }, { at: end, text: ' }' });
    if (how === 'expression') inserted.push({ at: start, text: `(${hit}, ` }, { at: end, text: ')' });
  }
  let probedSource = '';
  let last = 0;
  // Stable: where two begin, the outer one comes first; and of two ends only the number matters.
  for (const { at, text } of inserted.toSorted((a, b) => a.at - b.at)) {
    probedSource += source.slice(last, at) + text;
    last = at;
  }
  return probedSource + source.slice(last);
}

const DECLARATIONS = /^(?:TS|FunctionDeclaration|BlockStatement|BreakStatement|EmptyStatement)/;

function probed(node: Node, parent: Node): Probe['how'] | undefined {
  const isAny = (...keys: readonly string[]): boolean => keys.some((key) => parent[key] === node);
  switch (parent.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return DECLARATIONS.test(node.type) ? undefined : 'statement';
    case 'SwitchCase':
      return isAny('test') || DECLARATIONS.test(node.type) ? undefined : 'statement';
    case 'IfStatement':
    case 'WhileStatement':
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
      return isAny('consequent', 'alternate', 'body') && !DECLARATIONS.test(node.type) ? 'body' : undefined;
    case 'ArrowFunctionExpression':
      return isAny('body') && node.type !== 'BlockStatement' ? 'expression' : undefined;
    case 'ConditionalExpression':
      return isAny('consequent', 'alternate') ? 'expression' : undefined;
    case 'LogicalExpression':
      return isAny('right') ? 'expression' : undefined;
    default:
      return undefined;
  }
}
