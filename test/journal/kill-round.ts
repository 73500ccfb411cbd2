import { readFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '../../src/journal/journal-reader.ts';
import type { AttemptRecord } from '../../src/model/record.ts';
import { createProject, runCli } from '../project.ts';

const TESTS = 30;
/** The journal is written at least every 250 ms; a second is what is promised. */
const SAFE_AFTER_MS = 500;

/** Agents that note each call before they answer, so that what ran, and how often, is known whoever was killed. */
const AGENTS = {
  'agent.mjs': `
import { appendFileSync } from 'node:fs';
export const workers = 8;
const FAULTY = process.env.FAULTY === '1';
export async function agent(input) {
  appendFileSync(import.meta.dirname + '/calls.log', input + '\\n');
  await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 25));
  const fault = FAULTY ? Number(input.slice(1)) % 7 : 0;
  if (fault === 3) throw new Error('broken');
  if (fault === 4) return { output: 7 };
  return { output: 'You said ' + input };
}`,
  'agent.py': `
import os, random, time
def agent(input_text, memory):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls.log'), 'a') as file:
        file.write(input_text + '\\n')
    time.sleep(0.005 + random.random() * 0.025)
    fault = int(input_text[1:]) % 7 if os.environ.get('FAULTY') == '1' else 0
    if fault == 3:
        raise RuntimeError('broken')
    if fault == 4:
        return {'output': 7}
    if fault == 5:
        os._exit(3)
    return {'output': 'You said ' + input_text}
`,
};

export interface KillRound {
  readonly kills: number;
  readonly attempts: number;
  readonly violations: readonly string[];
}

interface KillOptions {
  readonly agent: keyof typeof AGENTS;
  readonly workers: number;
  /** Milliseconds after which the next process is killed. */
  readonly killAfter: () => number;
  /** Some tests throw, break the contract or end the process; they must end as errors, and no other test may. */
  readonly isFaulty?: boolean;
}

/** Kills a run again and again, resumes it each time until it ends, and checks what the journal promises. */
export async function killRound({
  agent,
  workers,
  killAfter,
  isFaulty = false,
}: KillOptions): Promise<KillRound> {
  const project = createProject({ [agent]: AGENTS[agent], 'suite.test.yaml': suite() });
  const violations: string[] = [];
  let kills = 0;
  try {
    for (let finished = false; !finished;) {
      const before = recordedTests(project.path);
      const callsBefore = calls(project.path);
      const { exitCode, shown, stderr } = await runAndKill(project.path, {
        agent,
        workers,
        afterMs: killAfter(),
        isFaulty,
      });
      finished = exitCode !== null;
      if (!finished) kills++;
      const recorded = recordedTests(project.path);
      for (const id of before) if (!recorded.has(id)) violations.push(`the record of ${id} was lost`);
      for (const { id, agoMs } of shown)
        if (agoMs > SAFE_AFTER_MS && !recorded.has(id))
          violations.push(`${id} was shown as finished ${agoMs} ms before the kill, and is lost`);
      const again = calls(project.path).slice(callsBefore.length);
      for (const id of again) if (before.has(id)) violations.push(`${id} had a record and ran again`);
      if (finished && exitCode !== (isFaulty ? 3 : 0))
        violations.push(`the run ended with ${exitCode}: ${stderr}`);
    }
    const records = allRecords(project.path);
    const ids = new Set(records.map(({ test }) => test));
    if (ids.size !== TESTS || records.length !== TESTS)
      violations.push(`${records.length} records of ${ids.size} tests, instead of ${TESTS}`);
    for (const { test, verdict } of records) {
      const expected = isFaulty && isBroken(test, agent) ? 'error' : 'passed';
      if (verdict !== expected) violations.push(`${test} is ${verdict} instead of ${expected}`);
    }
    return { kills, attempts: records.length, violations };
  } finally {
    project.remove();
  }
}

function isBroken(test: string, agent: string): boolean {
  const fault = Number(test.slice(1)) % 7;
  return fault === 3 || fault === 4 || (fault === 5 && agent === 'agent.py');
}

interface Shown {
  readonly id: string;
  readonly agoMs: number;
}

async function runAndKill(
  cwd: string,
  {
    agent,
    workers,
    afterMs,
    isFaulty,
  }: { agent: string; workers: number; afterMs: number; isFaulty: boolean },
): Promise<{ exitCode: number | null; stderr: string; shown: readonly Shown[] }> {
  const shownAt = new Map<string, number>();
  const isFirst = !existsSync(join(cwd, '.assay'));
  const args = [
    'run',
    'suite.test.yaml',
    '--agent',
    agent,
    '--workers',
    String(workers),
    '--reporter',
    'json',
    ...(isFirst ? [] : ['--resume']),
  ];
  const { exitCode, stderr } = await runCli(args, {
    cwd,
    env: { FAULTY: isFaulty ? '1' : '0' },
    onStart(child) {
      child.stdout!.on('data', (text: Buffer) => {
        for (const [, id] of text.toString().matchAll(/"test":"(t\d+)"/g))
          if (!shownAt.has(id!)) shownAt.set(id!, performance.now());
      });
      void sleep(afterMs).then(() => child.kill('SIGKILL'));
    },
  });
  const now = performance.now();
  return { exitCode, stderr, shown: [...shownAt].map(([id, at]) => ({ id, agoMs: now - at })) };
}

function suite(): string {
  return Array.from(
    { length: TESTS },
    (_, index) => `- id: t${index}\n  input: t${index}\n  assert: {output.includes: t${index}}\n`,
  ).join('');
}

function calls(folder: string): readonly string[] {
  const path = join(folder, 'calls.log');
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

function recordedTests(folder: string): ReadonlySet<string> {
  return new Set(allRecords(folder).map(({ test }) => test));
}

function allRecords(folder: string): readonly AttemptRecord[] {
  const runs = join(folder, '.assay', 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs).flatMap((run) => {
    const journal = join(runs, run, 'results.jsonl');
    return existsSync(journal) ? [...readJournal(journal)].map(({ record }) => record) : [];
  });
}
