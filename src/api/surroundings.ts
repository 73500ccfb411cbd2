import type { Surroundings } from '../run/grade.ts';

/** What evaluators may use of the world outside. */
export function createSurroundings(_file: string, signal: AbortSignal): Surroundings {
  const refuse = (what: string) => () => Promise.reject(new Error(`${what} cannot be used yet`));
  return { signal, readFile: refuse('files'), runScript: refuse('scripts'), assess: refuse('judges') };
}
