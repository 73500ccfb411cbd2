import { spawn } from 'node:child_process';
import { inTerminal } from '../in-terminal.ts';
import { CLI } from '../project.ts';

/** Runs the built CLI in a terminal of 100 columns, with colours, and answers with every byte it was sent. */
export function runInTerminal(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ readonly bytes: Buffer; readonly exitCode: number | null }> {
  const inherited: NodeJS.ProcessEnv = { ...process.env, CI: 'false', TERM: 'xterm-256color', ...env };
  for (const name of ['GITHUB_ACTIONS', 'NO_COLOR', 'FORCE_COLOR']) delete inherited[name];
  const [program, ...words] = inTerminal([process.execPath, CLI, ...args]);
  const child = spawn(program!, words, {
    cwd,
    env: inherited,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ bytes: Buffer.concat(chunks), exitCode }));
  });
}
