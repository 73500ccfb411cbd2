/** A formula, by its number. */
export type Formula = number;

export const TRUE: Formula = 0;
export const FALSE: Formula = 1;

type Node =
  | { readonly type: 'constant' }
  | { readonly type: 'atom'; readonly atom: number }
  | { readonly type: 'not'; readonly inner: Formula }
  | { readonly type: 'and' | 'or'; readonly parts: readonly Formula[] };

/** Thrown if a question takes more work than allowed. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

/**
 * Formulas of propositional logic, each stored once and simplified on creation: equal numbers mean equal formulas,
 * so that a search over them terminates.
 */
export class Formulas {
  private readonly nodes: Node[] = [{ type: 'constant' }, { type: 'constant' }];
  private readonly known = new Map<string, Formula>();
  private stepsLeft: number;

  constructor(stepsLeft: number) {
    this.stepsLeft = stepsLeft;
  }

  atom(atom: number): Formula {
    return this.keep(`a${atom}`, { type: 'atom', atom });
  }

  not(inner: Formula): Formula {
    if (inner === TRUE) return FALSE;
    if (inner === FALSE) return TRUE;
    const node = this.nodes[inner]!;
    return node.type === 'not' ? node.inner : this.keep(`!${inner}`, { type: 'not', inner });
  }

  and(parts: readonly Formula[]): Formula {
    return this.join('and', parts);
  }

  or(parts: readonly Formula[]): Formula {
    return this.join('or', parts);
  }

  /** The formula with each atom replaced. */
  replace(formula: Formula, replacement: (atom: number) => Formula): Formula {
    const done = new Map<Formula, Formula>([
      [TRUE, TRUE],
      [FALSE, FALSE],
    ]);
    const visit = (id: Formula): Formula => {
      const before = done.get(id);
      if (before !== undefined) return before;
      this.spend();
      const node = this.nodes[id]!;
      let result: Formula = id;
      if (node.type === 'atom') result = replacement(node.atom);
      else if (node.type === 'not') result = this.not(visit(node.inner));
      else if (node.type !== 'constant') result = this.join(node.type, node.parts.map(visit));
      done.set(id, result);
      return result;
    };
    return visit(formula);
  }

  private join(type: 'and' | 'or', parts: readonly Formula[]): Formula {
    const [neutral, decisive] = type === 'and' ? [TRUE, FALSE] : [FALSE, TRUE];
    const flat = new Set<Formula>();
    for (const part of parts) {
      const node = this.nodes[part]!;
      for (const own of node.type === type ? node.parts : [part]) if (own !== neutral) flat.add(own);
    }
    if (flat.has(decisive)) return decisive;
    for (const part of flat) if (flat.has(this.not(part))) return decisive;
    const settled = this.settle(type, flat);
    if (settled !== undefined) return this.join(type, settled);
    if (flat.size === 0) return neutral;
    const sorted = [...flat].toSorted((a, b) => a - b);
    if (sorted.length === 1) return sorted[0]!;
    return this.keep(`${type}${sorted.join(',')}`, { type, parts: sorted });
  }

  /** What is next to a larger part holds (or does not) inside it too. Undefined if nothing gets simpler. */
  private settle(type: 'and' | 'or', parts: ReadonlySet<Formula>): readonly Formula[] | undefined {
    const isCompound = (part: Formula): boolean => {
      const node = this.nodes[part]!;
      const inner = node.type === 'not' ? this.nodes[node.inner]! : node;
      return inner.type === 'and' || inner.type === 'or';
    };
    if (parts.size < 2 || ![...parts].some(isCompound)) return undefined;
    const [holds, fails] = type === 'and' ? [TRUE, FALSE] : [FALSE, TRUE];
    const simple = new Map<Formula, Formula>();
    for (const part of parts) {
      if (isCompound(part)) continue;
      simple.set(part, holds);
      simple.set(this.not(part), fails);
    }
    if (simple.size === 0) return undefined;
    let isChanged = false;
    const settled = [...parts].map((part) => {
      if (!isCompound(part)) return part;
      const simpler = this.assume(part, simple);
      isChanged ||= simpler !== part;
      return simpler;
    });
    return isChanged ? settled : undefined;
  }

  private assume(formula: Formula, facts: ReadonlyMap<Formula, Formula>): Formula {
    const fact = facts.get(formula);
    if (fact !== undefined) return fact;
    this.spend();
    const node = this.nodes[formula]!;
    if (node.type === 'not') return this.not(this.assume(node.inner, facts));
    if (node.type !== 'and' && node.type !== 'or') return formula;
    return this.join(
      node.type,
      node.parts.map((part) => this.assume(part, facts)),
    );
  }

  private spend(): void {
    if (this.stepsLeft-- === 0) throw new TooComplex('too many steps');
  }

  private keep(key: string, node: Node): Formula {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.nodes.push(node);
    this.known.set(key, this.nodes.length - 1);
    return this.nodes.length - 1;
  }
}
