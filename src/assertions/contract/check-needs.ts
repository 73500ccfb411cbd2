import type { ScriptRequest } from './script.ts';

/** What an evaluator decides by besides its parameters and the evidence. When one of these changes, its verdict may. */
export interface CheckNeeds {
  /** Found as `readFile` finds them. */
  readonly files?: readonly string[];
  readonly programs?: readonly Pick<ScriptRequest, 'script' | 'cwd'>[];
  /** By name; undefined is the default one. */
  readonly judges?: readonly (string | undefined)[];
}
