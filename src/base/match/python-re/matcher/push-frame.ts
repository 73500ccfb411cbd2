import { FRAME_SIZE } from './frames.ts';

/** Gives the new top of the stack, which must have room. */
export function push(
  stack: Int32Array,
  top: number,
  kind: number,
  one: number,
  two: number,
  three: number,
): number {
  stack[top] = kind;
  stack[top + 1] = one;
  stack[top + 2] = two;
  stack[top + 3] = three;
  return top + FRAME_SIZE;
}
