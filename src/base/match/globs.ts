import { oneOrMany } from '../schema/one-or-many.ts';
import { refine } from '../schema/refine.ts';
import { globProblem } from './glob.ts';

/** One glob of paths in a workspace, or several. */
export function globs() {
  return refine(oneOrMany(), (value, reader) => {
    const problem = globProblem([value as string | readonly string[]].flat());
    if (problem !== undefined) reader.error({ code: 'glob', message: problem });
  });
}
