import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

const projects: Project[] = [];
afterEach(() => {
  for (const each of projects.splice(0)) each.remove();
});

/** A project whose agent is a shell script: it runs in the workspace. */
function project(files: Readonly<Record<string, string>>): { readonly path: string; readonly tmp: string } {
  const made = createProject({
    'assay.config.yaml': 'targets: [{ name: agent, command: [sh, agent.sh] }]\n',
    'shop/src/cart.js': 'export const total = 1;\n',
    'shop/tests/cart.test.js': 'exit 1\n',
    'shop/solution/answer.js': 'secret\n',
    ...files,
  });
  projects.push(made);
  const tmp = join(made.path, 'tmp');
  mkdirSync(tmp);
  return { path: made.path, tmp };
}

interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly records: readonly AttemptRecord[];
  /** What is left of workspaces. */
  readonly left: readonly string[];
}

async function run(
  { path, tmp }: { readonly path: string; readonly tmp: string },
  args: readonly string[] = [],
): Promise<Outcome> {
  const result = await runCli(['run', '--quiet', ...args].filter((arg) => arg !== '--quiet'), {
    cwd: path,
    env: { TMPDIR: tmp },
  });
  const runs = join(path, '.assay/runs');
  const [last] = existsSync(runs) ? readdirSync(runs).filter((name) => /^\d/.test(name)).toSorted().slice(-1) : [];
  const journal = last === undefined ? '' : readFileSync(join(runs, last, 'results.jsonl'), 'utf8');
  const records = journal
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AttemptRecord)
    .filter(({ id }) => id !== undefined);
  const store = readdirSync(tmp).find((name) => name.startsWith('assay-workspaces-'));
  return { ...result, records, left: store === undefined ? [] : readdirSync(join(tmp, store)) };
}

const REPLY = `echo '{"output": "done"}'`;

const suite = (more: string, checks: string): string => `evalcases:
  - id: t
    input: go
    workspace:
      template: ./shop
      exclude: [solution/**]
${more}
    evaluators:
${checks}
`;

test('an agent works in a fresh copy; files, diff and command check it; the record has the diff', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; sed -i s/1/2/ src/cart.js; echo new > src/new.js; ls; ${REPLY}`.replace('ls; ', 'ls > ls.txt; '),
    'suite.eval.yaml': suite(
      '',
      `      - { type: files, path: src/cart.js, contains: "total = 2" }
      - { type: files, path: "solution/**", absent: true }
      - { type: files, path: tests/cart.test.js, unchanged: true }
      - { type: diff, only: [src/**, ls.txt], max_files: 3, max_lines: 20 }
      - { type: command, command: [cat, src/cart.js], stdout: { $contains: "total = 2" } }`,
    ),
  });
  const { exitCode, stdout, stderr, records, left } = await run(place, ['--allow-scripts']);
  expect(stderr + stdout).toContain('1 passed');
  expect(exitCode).toBe(0);
  const { workspace } = records[0]!;
  expect(workspace?.changes.map(({ path, change }) => `${path} ${change}`)).toEqual([
    'ls.txt added',
    'src/cart.js modified',
    'src/new.js added',
  ]);
  expect(workspace?.diff).toContain('-export const total = 1;\n+export const total = 2;');
  expect(readFileSync(join(place.path, 'shop/src/cart.js'), 'utf8')).toContain('total = 1');
  expect(left).toEqual([]);
});
