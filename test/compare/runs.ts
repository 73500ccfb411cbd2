import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Comparison } from '../../src/base/model/comparison.ts';
import { createProject, runCli, type CliResult } from '../project.ts';

/** Passes or fails as a plan says: `{ "t1": "PFE" }` are three repeats that pass, fail and throw. */
const AGENT = `
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
const plan = JSON.parse(readFileSync(join(import.meta.dirname, 'plan.json'), 'utf8'));
export function agent(input, memory, { attempt }) {
  const letter = plan[input]?.[attempt - 1] ?? 'P';
  if (letter === 'E') throw new Error('no answer');
  const output = letter === 'P' ? 'yes and no' : letter === 'H' ? 'yes' : 'bad';
  return { output, cost_usd: 0.25, token_usage: { input: 100, output: 10 } };
}
`;

/** A project with one suite of these tests, each of two evaluators, and an agent that does as the plan says. */
export class CompareProject {
  readonly path: string;
  private readonly created: { readonly path: string; remove(): void };

  constructor(tests: readonly string[], files: Readonly<Record<string, string>> = {}) {
    this.created = createProject({
      'agent.mjs': AGENT,
      'plan.json': '{}',
      'evals/all.eval.json': JSON.stringify({ threshold: 0.5, evalcases: tests.map(evalCase) }, null, 1),
      ...files,
    });
    this.path = this.created.path;
  }

  /** Runs the suite by this plan, in some folder of the project. */
  run(
    plan: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    { folder = '.' }: { readonly folder?: string } = {},
  ): Promise<CliResult> {
    writeFileSync(join(this.path, 'plan.json'), JSON.stringify(plan));
    const cwd = join(this.path, folder);
    mkdirSync(cwd, { recursive: true });
    const from = (name: string): string => relative(cwd, join(this.path, name));
    return runCli(['run', from('evals'), '--agent', from('agent.mjs'), ...args], { cwd });
  }

  cli(...args: readonly string[]): Promise<CliResult> {
    return runCli(args, { cwd: this.path });
  }

  async comparison(...args: readonly string[]): Promise<Comparison> {
    const { stdout } = await this.cli('compare', ...args, '--json');
    return JSON.parse(stdout) as Comparison;
  }

  /** Ids of the runs so far, the latest last. */
  runs(): readonly string[] {
    return readdirSync(join(this.path, '.assay', 'runs')).sort();
  }

  remove(): void {
    this.created.remove();
  }
}

function evalCase(id: string) {
  const contains = (value: string) => ({ type: 'contains', value });
  return { id, input: id, evaluators: [contains('yes'), contains('no')] };
}
