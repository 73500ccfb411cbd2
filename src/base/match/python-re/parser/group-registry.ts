import type { Sequence } from '../syntax-tree.ts';
import { measureWidth, type Width } from './measure-width.ts';
import { pythonRepr } from './python-repr.ts';
import { tokenLength, type Tokenizer } from './tokenizer.ts';

/** The capturing groups met so far, and which of them a reference may name. */
export class GroupRegistry {
  readonly names = new Map<string, number>();
  /** By group number; undefined while the group is open. */
  readonly widths: (Width | undefined)[] = [undefined];
  /** Groups named by number in conditions, with the place of the first mention. */
  readonly #conditionPositions = new Map<number, number>();
  /** The count of groups when the outermost lookbehind under way began. */
  #lookbehindStart: number | undefined;

  get count(): number {
    return this.widths.length;
  }

  open(name: string | undefined, source: Tokenizer): number {
    const index = this.widths.push(undefined) - 1;
    if (name === undefined) return index;
    const earlier = this.names.get(name);
    if (earlier !== undefined) {
      throw source.error(
        `redefinition of group name ${pythonRepr(name)} as group ${index}; was group ${earlier}`,
        tokenLength(name) + 1,
      );
    }
    this.names.set(name, index);
    return index;
  }

  close(index: number, body: Sequence): void {
    this.widths[index] = measureWidth(body, this.widths);
  }

  isClosed(index: number): boolean {
    return this.widths[index] !== undefined;
  }

  insideLookbehind<Result>(parse: () => Result): Result {
    if (this.#lookbehindStart !== undefined) return parse();
    this.#lookbehindStart = this.count;
    const result = parse();
    this.#lookbehindStart = undefined;
    return result;
  }

  checkLookbehindReference(index: number, source: Tokenizer): void {
    if (this.#lookbehindStart === undefined) return;
    if (!this.isClosed(index)) throw source.error('cannot refer to an open group');
    if (index >= this.#lookbehindStart) {
      throw source.error('cannot refer to group defined in the same lookbehind subpattern');
    }
  }

  noteCondition(index: number, position: number): void {
    if (!this.#conditionPositions.has(index)) this.#conditionPositions.set(index, position);
  }

  /** Conditions may name a group that is opened later, so they are checked at the end. */
  checkConditions(source: Tokenizer): void {
    for (const [index, position] of this.#conditionPositions) {
      if (index >= this.count) throw source.errorAt(`invalid group reference ${index}`, position);
    }
  }
}
