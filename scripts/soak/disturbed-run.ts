import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startCli } from '../../test/project.ts';

export type SoakSignal = 'SIGKILL' | 'SIGINT' | 'SIGTERM';

/** A signal, sent so many milliseconds after so many results were shown. */
export interface Disturbance {
  readonly signal: SoakSignal;
  readonly afterResults: number;
  readonly afterMs: number;
}

export interface SoakRun {
  readonly project: string;
  readonly agent: string;
  readonly workers: number;
  readonly repeats: number;
  /** How long one attempt may take, as the command line takes it. */
  readonly timeout: string;
  readonly env: Readonly<Record<string, string>>;
  readonly disturbance?: Disturbance | undefined;
}

export interface SoakResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly wasDisturbed: boolean;
  /** Attempts that were shown as finished, and how long before the end. */
  readonly shown: readonly { readonly id: string; readonly agoMs: number }[];
}

/** Runs the suites of a project, or resumes its last run, and disturbs the run on request. */
export async function disturbedRun(run: SoakRun): Promise<SoakResult> {
  const { project, agent, workers, repeats, timeout, env, disturbance } = run;
  const shownAt = new Map<string, number>();
  const isFirst = !existsSync(join(project, '.assay'));
  const args = ['run', '--agent', agent, '--workers', String(workers), '--repeats', String(repeats)];
  args.push('--timeout', timeout, '--retry', '1', '--reporter', 'json', ...(isFirst ? [] : ['--resume']));
  let timer: NodeJS.Timeout | undefined;
  let wasDisturbed = false;
  const result = await startCli(args, {
    cwd: project,
    env,
    onStart(child) {
      const disturb = (): void => {
        if (disturbance === undefined || timer !== undefined || shownAt.size < disturbance.afterResults)
          return;
        timer = setTimeout(() => (wasDisturbed = child.kill(disturbance.signal)), disturbance.afterMs);
      };
      child.stdout!.on('data', (text: Buffer) => {
        for (const [, id] of text.toString().matchAll(/^\{"id":"([^"]+)"/gm))
          if (!shownAt.has(id!)) shownAt.set(id!, performance.now());
        disturb();
      });
      disturb();
    },
  });
  clearTimeout(timer);
  const end = performance.now();
  return { ...result, wasDisturbed, shown: [...shownAt].map(([id, at]) => ({ id, agoMs: end - at })) };
}
