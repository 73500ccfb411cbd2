import { hashText } from '../../base/match/hash-text.ts';

/** One part of a plan that several machines run: `--shard 2/5` is the second of five. */
export interface Shard {
  /** Counts from 1. */
  readonly index: number;
  readonly total: number;
}

/** `2/5`; undefined if it is something else. */
export function parseShard(text: string): Shard | undefined {
  const [, index, total] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  if (index === undefined || Number(index) > Number(total)) return undefined;
  return { index: Number(index), total: Number(total) };
}

/** The shard of an attempt, from 1 on: decided by its id alone, so that a new test moves no other. */
export function shardOf(id: string, total: number): number {
  return (hashText(id)[0] % total) + 1;
}
