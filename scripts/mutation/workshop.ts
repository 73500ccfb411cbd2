import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';
import { ROOMS } from './rooms.ts';

export interface Tried extends Mutant {
  /** Who noticed: tests of the source, tests of the built program, the types; or nobody. */
  readonly killedBy: 'unit' | 'build' | 'program' | 'types' | undefined;
  readonly seconds: number;
}

/** No mutant may take longer: a loop that does not end was noticed. */
const LIMIT_MS = 10 * 60_000;

/** A copy of the project in which mutants are put one after the other. */
export class Workshop {
  private readonly root = mkdtempSync(join(tmpdir(), 'assay-mutation-'));

  constructor(project: string) {
    const left = new Set(['node_modules', '.git', '.assay']);
    cpSync(project, this.root, { recursive: true, filter: (path) => !left.has(basename(path)) });
    symlinkSync(resolve(project, 'node_modules'), join(this.root, 'node_modules'));
  }

  async try(mutant: Mutant): Promise<Tried> {
    const started = Date.now();
    const path = join(this.root, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, applyMutant(source, mutant));
    try {
      const killedBy = await this.killer(mutant);
      return { ...mutant, killedBy, seconds: Math.round((Date.now() - started) / 1000) };
    } finally {
      writeFileSync(path, source);
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** The cheapest first. */
  private async killer({ file }: Mutant): Promise<Tried['killedBy']> {
    const room = file.split('/')[1]!;
    const vitest = ['vitest', '--run', '--bail=1', '--maxWorkers=2', '--passWithNoTests'];
    if (!(await this.passes([...vitest, `src/${room}/`]))) return 'unit';
    // Tests that start the built program do not import what is mutated: these are the other tests of the source.
    if (!(await this.passes([vitest[0]!, 'related', file, ...vitest.slice(1)]))) return 'unit';
    if (!(await this.passes(['rolldown', '--config', 'rolldown.config.ts']))) return 'build';
    if (!(await this.passes([...vitest, ...ROOMS[room]!]))) return 'program';
    return (await this.passes(['tsc', '--noEmit'])) ? undefined : 'types';
  }

  private passes(args: readonly string[]): Promise<boolean> {
    return new Promise((done) => {
      const child = spawn('npx', args, { cwd: this.root, stdio: 'ignore', detached: true });
      const timer = setTimeout(() => kill(child.pid!), LIMIT_MS);
      child.on('close', (code) => {
        clearTimeout(timer);
        done(code === 0);
      });
    });
  }
}

function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
