import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createProject } from '../../test/project.ts';
import { randomFrom, type Random } from '../random.ts';
import { AGENT_FILES, HANG_MS, type AgentKind } from './agents.ts';
import { checkEnd, checkStep, type RoundState } from './check-round.ts';
import { disturbedRun, type Disturbance, type SoakSignal } from './disturbed-run.ts';
import { startSoakServer } from './http-server.ts';
import { leftProcesses } from './left-processes.ts';
import { randomSuites } from './random-suites.ts';
import { recordsIn, temporaryFiles } from './run-folder.ts';

export interface SoakRoundOptions {
  readonly kinds?: readonly AgentKind[];
  readonly signals?: readonly SoakSignal[];
  /** How often a run is disturbed at most. */
  readonly disturbances?: number;
}

export interface SoakRound {
  readonly kind: AgentKind;
  readonly signals: Readonly<Record<SoakSignal, number>>;
  readonly attempts: number;
  readonly violations: readonly string[];
}

const KINDS: readonly AgentKind[] = ['function', 'python', 'command', 'http'];
/** Kills more often than orderly ends: they are what can lose something. */
const SIGNALS: readonly SoakSignal[] = ['SIGKILL', 'SIGKILL', 'SIGINT', 'SIGTERM'];

/**
 * Runs random suites twice: undisturbed, and disturbed again and again, resumed each time until the run ends. Checks what
 * is promised after each disturbance and at the end, when both must have come to the same.
 */
export async function soakRound(seed: number, options: SoakRoundOptions = {}): Promise<SoakRound> {
  const { kinds = KINDS, signals = SIGNALS, disturbances = 8 } = options;
  const random = randomFrom(seed);
  const kind = random.pick(kinds);
  const { files, tests } = randomSuites(random);
  const repeats = random.pick([1, 1, 2, 3]);
  // On a busy machine anything may take long, and only what hangs is meant to end by its time.
  const timeout = tests.some(({ fault }) => fault === 'hang') ? '12s' : '120s';
  const calm = await createPlace(kind, files);
  const wild = await createPlace(kind, files);
  const counts = { SIGKILL: 0, SIGINT: 0, SIGTERM: 0 };
  const violations: string[] = [];
  try {
    const reference = await disturbedRun({ ...calm, workers: 4, repeats, timeout });
    for (let left = 1 + random.below(disturbances); ; left--) {
      const state: RoundState = {
        kind,
        tests,
        repeats,
        before: recordsIn(wild.project),
        run: wild.nextRun(),
      };
      const disturbance = left > 0 ? randomDisturbance(random, signals) : undefined;
      const result = await disturbedRun({
        ...wild,
        workers: random.pick([1, 2, 4, 8]),
        repeats,
        timeout,
        disturbance,
      });
      if (result.wasDisturbed) counts[disturbance!.signal]++;
      violations.push(
        ...checkStep(wild.project, state, { result, disturbance, reference: reference.exitCode }),
      );
      if (result.exitCode !== null && result.exitCode !== 130) {
        violations.push(...checkEnd(result, reference, recordsIn(wild.project)));
        break;
      }
      if (left <= 0) {
        violations.push(`a run that nobody disturbed ended with ${result.exitCode}: ${result.stderr}`);
        break;
      }
    }
    const patienceMs = counts.SIGKILL > 0 ? HANG_MS + 4000 : 1000;
    const orphans = await leftProcesses(wild.env['ASSAY_SOAK']!, patienceMs);
    violations.push(...orphans.map((orphan) => `a process is left: ${orphan}`));
    violations.push(
      ...temporaryFiles(wild.project, wild.env['TMPDIR']!)
        // A killed process cannot remove the folder of its sockets, nor one that it had just made for a report. Both are in the folder of the system.
        .filter((name) => counts.SIGKILL === 0 || !/^assay-(?:stdin|report)-/.test(name))
        .map((name) => `a file is left: ${name}`),
    );
    return {
      kind,
      signals: counts,
      attempts: new Set(recordsIn(wild.project).map(({ id }) => id)).size,
      violations,
    };
  } finally {
    calm.remove();
    wild.remove();
  }
}

/** What is promised to be kept after a second is looked for later than that. */
const LATE_MS = 1100;

function randomDisturbance(random: Random, signals: readonly SoakSignal[]): Disturbance {
  const signal = random.pick(signals);
  return random.chance(0.5)
    ? { signal, afterResults: 0, afterMs: 60 + random.below(1500) }
    : {
        signal,
        afterResults: 1 + random.below(12),
        afterMs: random.pick([random.below(80), LATE_MS + random.below(1000)]),
      };
}

interface Place {
  readonly project: string;
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
  /** The number of the run that is about to begin. */
  nextRun(): number;
  remove(): void;
}

async function createPlace(kind: AgentKind, files: Readonly<Record<string, string>>): Promise<Place> {
  const { path: project, remove } = createProject({ ...files, ...AGENT_FILES });
  const temporary = join(project, 'temporary');
  mkdirSync(temporary);
  const server = kind === 'http' ? await startSoakServer(project) : undefined;
  const agents = {
    function: './agent.mjs',
    python: './agent.py',
    command: `cmd: ${process.execPath} command.mjs`,
    http: server?.url ?? '',
  };
  const env: Record<string, string> = { TMPDIR: temporary, ASSAY_SOAK: project, ASSAY_SOAK_RUN: '0' };
  let run = 0;
  return {
    project,
    agent: agents[kind],
    env,
    nextRun() {
      run++;
      env['ASSAY_SOAK_RUN'] = String(run);
      if (server !== undefined) server.run = run;
      return run;
    },
    remove() {
      server?.close();
      remove();
    },
  };
}
