import type { CharacterNode } from '../syntax-tree.ts';
import { type CharacterClass, characterClass, TABLE_SIZE } from './character-class.ts';
import { type Filter, FILTER_SIZE } from './first-filter.ts';
import { BARRIER, NONE } from './opcodes.ts';
import type { Program, StartCondition } from './program.ts';

/** Collects the instructions and tables of a program. */
export class ProgramBuilder {
  readonly #code: number[] = [];
  readonly #classes: CharacterClass[] = [];
  readonly #filters: Filter[] = [];
  readonly #classByNode = new Map<CharacterNode, CharacterClass>();
  #registerCount: number;
  readonly #groupCount: number;
  readonly #forgetfulPlaces: number[] = [];
  /** NONE unless marks are tracked. */
  readonly lastMarkRegister: number;

  constructor(groupCount: number, tracksMarks: boolean) {
    this.#groupCount = groupCount;
    this.#registerCount = groupCount * 2;
    this.lastMarkRegister = tracksMarks ? this.newRegisters(1) : NONE;
  }

  /** The place of the next instruction. */
  get here(): number {
    return this.#code.length;
  }

  /** Gives the place of the instruction. */
  emit(...words: readonly number[]): number {
    return this.#code.push(...words) - words.length;
  }

  /** Points the operand at `place` to the next instruction. */
  pointHere(place: number): void {
    this.#code[place] = this.here;
  }

  newRegisters(count: number): number {
    this.#registerCount += count;
    return this.#registerCount - count;
  }

  /** Notes that a choice that continues at this place does not restore sticky marks. */
  markForgetful(place: number): void {
    if (this.lastMarkRegister !== NONE) this.#forgetfulPlaces.push(place);
  }

  /** For a choice that restores sticky marks even when it has no way left to go. */
  emitBarrier(): void {
    if (this.lastMarkRegister !== NONE) this.emit(BARRIER);
  }

  /** A node occurs in one place, under one set of flags. */
  readonly classOf = (node: CharacterNode, flags: number): CharacterClass => {
    let found = this.#classByNode.get(node);
    if (found === undefined) {
      found = characterClass(node, flags);
      this.#classByNode.set(node, found);
    }
    return found;
  };

  classNumber(characters: CharacterClass): number {
    const known = this.#classes.indexOf(characters);
    return known >= 0 ? known : this.#classes.push(characters) - 1;
  }

  filterNumber(filter: Filter | undefined): number {
    return filter === undefined ? NONE : this.#filters.push(filter) - 1;
  }

  build(start: StartCondition): Program {
    const classTables = new Uint8Array(this.#classes.length * TABLE_SIZE);
    for (const [index, { table }] of this.#classes.entries()) classTables.set(table, index * TABLE_SIZE);
    const filters = new Uint8Array(this.#filters.length * FILTER_SIZE);
    for (const [index, filter] of this.#filters.entries()) filters.set(filter, index * FILTER_SIZE);
    const forgetful = new Uint8Array(this.lastMarkRegister === NONE ? 0 : this.#code.length);
    for (const place of this.#forgetfulPlaces) forgetful[place] = 1;
    return {
      code: Int32Array.from(this.#code),
      classTables,
      wideMembers: this.#classes.map(({ hasWide }) => hasWide),
      filters,
      groupCount: this.#groupCount,
      registerCount: this.#registerCount,
      lastMarkRegister: this.lastMarkRegister,
      forgetful,
      start,
    };
  }
}
