import { afterEach } from 'vitest';
import type { TestSummary, Summary } from '../../src/base/model/summary.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { createProject, runCli, type CliResult } from '../project.ts';

/**
 * Answers as its input says, one letter for each attempt: `y` yes, `n` no, `e` throws; the last letter goes on. Each call
 * is written to calls.txt. A number behind it is what the call costs.
 */
const AGENT = `
import { appendFileSync } from 'node:fs';
export const workers = Number(process.env.AGENT_WORKERS ?? 1);
export function agent(input, memory, { attempt, test }) {
  const [letters, cost] = input.split(' ');
  appendFileSync(new URL('calls.txt', import.meta.url), test.id + ' ' + attempt + '\\n');
  const letter = letters[Math.min(attempt, letters.length) - 1];
  if (letter === 'e') throw new Error('not today');
  return { output: letter === 'y' ? 'yes' : 'no', ...(cost === undefined ? {} : { cost_usd: Number(cost) }) };
}`;

export interface Report {
  readonly exit_code: number;
  readonly summary: Summary;
  readonly tests: readonly TestSummary[];
  readonly results: readonly AttemptRecord[];
  readonly findings: readonly Finding[];
}

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** A project whose agent does in each attempt what the test's input says. */
export function repeatingProject(files: Readonly<Record<string, string>>): {
  readonly path: string;
  run(...args: string[]): Promise<CliResult>;
  report(...args: string[]): Promise<Report>;
} {
  const project = createProject({ 'agent.mjs': AGENT, ...files });
  cleanUps.push(() => project.remove());
  const run = (...args: string[]) =>
    runCli(['run', '--agent', './agent.mjs', ...args], { cwd: project.path });
  return {
    path: project.path,
    run,
    async report(...args) {
      const { stdout, stderr } = await run('--reporter', 'json', ...args);
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as Report;
    },
  };
}

/** An eval file of tests `a`, `b`, ...; each line is `letters cost; further: fields`. */
export function suiteOf(...tests: readonly string[]): string {
  const cases = tests.map((line, index) => {
    const [input, ...fields] = line.split('; ');
    const id = String.fromCodePoint(97 + index);
    return [`  - id: ${id}`, `    input: ${input}`, ...fields.map((field) => `    ${field}`), CHECK].join(
      '\n',
    );
  });
  return `evalcases:\n${cases.join('\n')}\n`;
}

const CHECK = '    evaluators: [{ type: equals, value: "yes" }]';
