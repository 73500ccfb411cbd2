import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { PARENT_VARIABLE } from '../agents/processes/end-with-parent.ts';
import { ProcessGroup } from '../agents/processes/process-group.ts';

interface TestRun {
  /** The command line of this program, up to its name. */
  readonly program: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly file: string;
  readonly line: number;
  /** Called with each line that the run prints. */
  onLine(line: string): void;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/** Runs one test as `assay run FILE:LINE` does, in a process of its own. Returns what came of it, for people. */
export async function runTest({
  program,
  env,
  folder,
  file,
  line,
  onLine,
  signal,
}: TestRun): Promise<string> {
  const argv = [...program, 'run', '--', `${relative(folder, file)}:${line}`];
  const group = await ProcessGroup.start(argv, ['pipe', 'pipe', 'pipe'], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: undefined, [PARENT_VARIABLE]: 'stdin' },
  });
  const stop = (): void => void group.stop();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  for (const stream of [group.child.stdout!, group.child.stderr!])
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
  const { code } = await group.ended;
  signal.removeEventListener('abort', stop);
  if (signal.aborted) return 'was stopped';
  return OUTCOMES[code ?? -1] ?? 'did not run';
}

const OUTCOMES: Readonly<Record<number, string>> = {
  0: 'passed',
  1: 'failed',
  2: 'did not run: the output says why',
  3: 'could not be measured',
  130: 'was stopped',
};
