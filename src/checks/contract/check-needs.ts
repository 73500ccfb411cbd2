import type { ScriptRequest } from './script.ts';

/**
 * What an evaluator depends on besides its parameters and the evidence. If one of these changes, its verdict may
 * change.
 */
export interface CheckNeeds {
  /** Found as `readFile` finds them. */
  readonly files?: readonly string[];
  /** Files of code, each with everything that it loads: absolute, or relative to the suite. */
  readonly code?: readonly string[];
  readonly programs?: readonly Pick<ScriptRequest, 'script' | 'cwd'>[];
  /** By name; undefined is the default one. */
  readonly judges?: readonly (string | undefined)[];
}
