/** What the command that is under way has started, and how to stop it: another one may follow in the same process. */
const stops = new Set<() => void>();
let ended = 0;

export function onCommandEnd(stop: () => void): void {
  stops.add(stop);
}

export function endCommand(): void {
  ended++;
  for (const stop of stops) stop();
  stops.clear();
}

/** The instance of a module that a command loads once: a later command of this process loads it anew. */
export function instanceOfCommand(): number {
  return ended * LOADED_ANEW;
}

/** More than one command loads anew while it runs. */
const LOADED_ANEW = 1_000_000;
