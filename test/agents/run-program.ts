import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** The agents as `agents.mjs`, bundled as the package is. */
export async function bundleAgents(folder: string): Promise<void> {
  const input = join(folder, 'agents.ts');
  writeFileSync(input, `export * from '${resolve('test/agents/create-agent.ts')}';\n`);
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'agents.mjs',
    chunkFileNames: '[name].mjs',
  });
  await bundle.close();
}

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in its own process. `onOutput` is called when it prints something, and may kill it. */
export async function runProgram(
  folder: string,
  source: string,
  onOutput: (kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<ProgramResult> {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, source);
  const child = spawn(process.execPath, [file], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    onOutput((signal) => child.kill(signal));
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((done) => child.on('close', (code, signal) => done({ code, signal, stdout, stderr })));
}
