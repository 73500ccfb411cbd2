import { onCommandEnd } from './command-end.ts';
import { nextTurn } from './system-time.ts';

/* Code of users that runs in this process: configs, evaluators, reporters, and functions with `isolate: false`. */

let isLoaded = false;
const uncaught: unknown[] = [];

/** From now on, an error that nobody caught may be its. */
export function noteUserCode(): void {
  if (!isLoaded) onCommandEnd(forget);
  isLoaded = true;
}

export function hasUserCode(): boolean {
  return isLoaded;
}

export function noteUncaught(error: unknown): void {
  uncaught.push(error);
}

/** Those since the last time. A promise that was just rejected counts too. */
export async function takeUncaught(): Promise<readonly unknown[]> {
  if (!isLoaded) return [];
  await nextTurn();
  return uncaught.splice(0);
}

function forget(): void {
  isLoaded = false;
  uncaught.length = 0;
}
