import type { TransformOptions } from 'jiti';
// @ts-expect-error: it has no types
import babel from '../../node_modules/jiti/dist/babel.cjs';

export interface CompileError {
  readonly message: string;
  readonly loc?: { readonly line: number; /** From 0. */ readonly column: number };
}

/** Loads a megabyte: nobody else imports this compiler. */
export const compile = babel as (options: TransformOptions) => {
  readonly code: string;
  readonly error?: CompileError;
};
