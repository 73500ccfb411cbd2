import { execSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CLI, createProject, ROOT, USER_ENV, type Project } from '../docs/assay-process.ts';

const WORKFLOW = join(ROOT, 'examples/ci/.github/workflows/assay.yaml');

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly Step[]; readonly strategy?: { matrix: { shard: number[] } } }>
  >;
}

const text = readFileSync(WORKFLOW, 'utf8');
const { jobs } = parse(text) as Workflow;

test('docs/ci-github.md shows this workflow', () => {
  expect(readFileSync(join(ROOT, 'docs/ci-github.md'), 'utf8')).toContain(`\`\`\`yaml\n${text}\`\`\``);
});

describe("the workflow's commands, in order, each job on a fresh checkout", () => {
  const projects: Project[] = [];
  const artifacts = new Map<string, string>();
  const codes: (readonly [string, number])[] = [];
  let report: string;
  afterAll(() => {
    for (const project of projects) project.remove();
  });

  function checkOut(): string {
    const project = createProject({});
    projects.push(project);
    cpSync(join(ROOT, 'examples/ci'), project.path, {
      recursive: true,
      filter: (path) => !path.includes('.assay'),
    });
    return project.path;
  }

  /** Does what a step does: commands of ours by the shell, artifacts by copying. Other programs are not for here. */
  function runStep(step: Step, cwd: string, shard: number | undefined): void {
    const fill = (template: unknown) => String(template).replaceAll('${{ matrix.shard }}', String(shard));
    if (step.uses?.startsWith('actions/upload-artifact') === true) {
      const name = fill(step.with!['name']);
      expect(existsSync(join(cwd, fill(step.with!['path'])))).toBe(true);
      artifacts.set(name, join(cwd, fill(step.with!['path'])));
    } else if (step.uses?.startsWith('actions/download-artifact') === true) {
      const target = join(cwd, fill(step.with!['path']));
      mkdirSync(target);
      const prefix = fill(step.with!['pattern']).replace('*', '');
      for (const [name, path] of artifacts)
        if (name.startsWith(prefix)) cpSync(path, target, { recursive: true });
    } else if (step.run?.startsWith('npx assay ') === true) {
      const command = fill(step.run).replace('npx assay', `'${process.execPath}' '${CLI}'`);
      const env = {
        ...USER_ENV,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: cwd,
        GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      };
      codes.push([step.run, exitCodeOf(() => execSync(command, { cwd, env, stdio: 'pipe' }))]);
    }
  }

  beforeAll(() => {
    for (const { steps, strategy } of Object.values(jobs)) {
      const shards = strategy === undefined ? [undefined] : strategy.matrix.shard;
      for (const shard of shards) {
        const cwd = checkOut();
        for (const step of steps) runStep(step, cwd, shard);
        report = cwd;
      }
    }
  });

  test('every command exits with 0', () => {
    expect(codes.filter(([, code]) => code !== 0)).toEqual([]);
    expect(new Set(codes.map(([command]) => command.split(' ')[2]))).toEqual(
      new Set(['run', 'merge', 'report']),
    );
  });

  test('the last job gives one run of all tests, a JUnit file, a summary and a comment', () => {
    const [run] = readdirSync(join(report, '.assay/runs'));
    const ending = JSON.parse(
      readFileSync(join(report, '.assay/runs', run!, 'summary.json'), 'utf8'),
    ) as object;
    expect(ending).toMatchObject({ exit_code: 0, summary: { tests: 4, passed: 4 } });
    expect(readFileSync(join(report, 'junit.xml'), 'utf8')).toContain(
      '<testsuites name="assay" tests="4" failures="0"',
    );
    for (const name of ['summary.md', 'comment.md'])
      expect(readFileSync(join(report, name), 'utf8')).toContain('## Assay: ✅ 4 of 4 passed');
  });

  test('the shards run each test exactly once', () => {
    const runs = [...artifacts].filter(([name]) => name.startsWith('assay-runs-')).map(([, path]) => path);
    expect(runs).toHaveLength(4);
    const ran = runs.flatMap((path) =>
      readdirSync(path).flatMap((run) => [
        ...readFileSync(join(path, run, 'results.jsonl'), 'utf8').matchAll(/"test":"([^"]*)","tags"/g),
      ]),
    );
    expect(ran.map(([, id]) => id).sort()).toEqual(['complaint', 'monday', 'saturday', 'unknown question']);
  });
});

function exitCodeOf(run: () => void): number {
  try {
    run();
    return 0;
  } catch (error) {
    return (error as { readonly status: number }).status;
  }
}
