import { globMatcher } from '../../base/match/glob.ts';
import { globs } from '../../base/match/globs.ts';
import type { AssertionOutcome } from '../../base/model/evidence.ts';
import { needsOneOf } from '../../base/schema/refine.ts';
import { number } from '../../base/schema/values.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import type { WorkspaceView } from '../contract/workspace-view.ts';
import { unmeasured } from '../unmeasured.ts';
import { NO_WORKSPACE } from './files.ts';

const whole = number({ min: 0, integer: true });

interface DiffParameters {
  readonly only?: string | readonly string[];
  readonly max_lines?: number;
  readonly max_files?: number;
}

export const diff = defineEvaluator({
  kind: 'diff',
  doc: 'Checks what the agent changed in the workspace. Protected files are not part of it: they were restored.',
  example: { only: ['src/**'], max_lines: 40 },
  reads: [],
  isBinary: true,
  fields: {
    only: { schema: globs(), doc: 'Globs: every file that changed must match one.' },
    max_lines: { schema: whole, doc: 'At most this many lines were added and deleted together.' },
    max_files: { schema: whole, doc: 'At most this many files changed.' },
  },
  check: (authored, reader) => needsOneOf(['only', 'max_lines', 'max_files'])(authored, reader),
  evaluate(parameters, _evidence, { workspace }) {
    return workspace === undefined ? unmeasured(NO_WORKSPACE) : checkDiff(parameters, workspace);
  },
});

async function checkDiff(
  { only, max_lines, max_files }: DiffParameters,
  workspace: WorkspaceView,
): Promise<AssertionOutcome> {
  const { total, files, cut } = await workspace.diff();
  const misses: string[] = [];
  if (max_files !== undefined && total > max_files)
    misses.push(`${total} files changed, and at most ${max_files} may`);
  if (only !== undefined) {
    const isAllowed = globMatcher([only].flat());
    misses.push(
      ...files.filter(({ path }) => !isAllowed(path)).map(({ path, change }) => `${path} was ${change}`),
    );
  }
  let isUnknown = only !== undefined && files.length < total;
  if (max_lines !== undefined) {
    const lines = files.reduce((sum, each) => sum + (each.lines_added ?? 0) + (each.lines_deleted ?? 0), 0);
    if (lines > max_lines) misses.push(`${lines} lines changed, and at most ${max_lines} may`);
    isUnknown ||= files.length < total || files.some(({ lines_added }) => lines_added === undefined);
  }
  if (misses.length === 0 && isUnknown)
    return unmeasured(`the lines of some files are not known: ${cut ?? 'they are not text'}`);
  const held = misses.length === 0;
  return {
    score: held ? 1 : 0,
    message: held ? `${total} ${total === 1 ? 'file' : 'files'} changed, as allowed` : misses[0],
    actual: files.slice(0, 50).map(({ path, change }) => `${path} (${change})`),
    ...(misses.length > 1 && { misses: misses.slice(0, 50) }),
  };
}
