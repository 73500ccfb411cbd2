import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { until } from '../run-folders.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const AGENT = `export const workers = 4;
let flips = 0;
export const agent = (input) => {
  if (input === 'crash') throw new Error('the database is down');
  if (input === 'flip') return { output: flips++ % 2 === 0 ? 'heads' : 'tails', tools_used: [] };
  return { output: 'You said ' + input, tools_used: [] };
};
`;

const SUITE = `- id: passes
  input: hello
  assert: { output.includes: hello }
- id: fails
  description: It says goodbye
  input: hello
  assert:
    output.includes: goodbye
- id: crashes
  input: crash
  assert: { output.includes: x }
- id: is skipped
  skip: not yet
  input: hello
  assert: { output.includes: hello }
- id: held
  input: flip
  repeats: 4
  pass_at_least: 2/4
  assert: { output.includes: heads }
- id: broken
  input: flip
  repeats: 4
  pass_at_least: 4/4
  assert: { output.includes: heads }
- id: row-{{n}}
  input: number {{n}}
  each: [{ n: 1 }, { n: 2 }, { n: 3 }]
  assert: { output.includes: "number {{n}}" }
`;

interface Assertion {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly Assertion[];
  }[];
}

/** `assay/vitest` with the vitest in a folder: every version that Assay supports must agree. */
export function testAssaySuite(version: string, folder: () => Promise<string> | string): void {
  describe(version, () => {
    let vitest: string;
    let project: ReturnType<typeof createProject>;

    beforeAll(async () => {
      vitest = await folder();
      project = createProject({
        'package.json': '{ "type": "module" }',
        'agent.mjs': AGENT,
        'assay.config.yaml': 'agent: ./agent.mjs\n',
        'vitest.config.js':
          'export default { test: { include: ["**/*.spec.ts"], tags: [{ name: "smoke" }], forceRerunTriggers: ["**/*.test.yaml"] } };\n',
        'specs/talk.test.yaml': SUITE,
        'specs/talk.spec.ts': "import { assaySuite } from 'assay/vitest';\nassaySuite('talk.test.yaml');\n",
        'specs/fine.test.yaml': 'id: fine\ninput: hello\nassert: { output.includes: hello }\n',
        'specs/function.spec.ts': `import { assaySuite } from 'assay/vitest';
assaySuite(new URL('./fine.test.yaml', import.meta.url), { agent: (input: string) => 'hello, ' + input });
`,
        'specs/odd names/one.test.yaml': '- { id: a, input: hello, assert: { output.includes: nothing } }\n',
        'specs/odd names/two.test.json': JSON.stringify([
          { id: 'a', input: 'hello', assert: { 'output.includes': 'hello' } },
          { id: '%s (a|b) $1', input: 'hello', assert: { 'output.includes': 'hello' } },
          { id: 'c', input: 'hello', assert: { 'output.includes': 'nothing' } },
        ]),
        'specs/odd.spec.ts': "import { assaySuite } from 'assay/vitest';\nassaySuite('odd names');\n",
        'two/assay.config.yaml':
          'targets:\n  - { name: good, provider: mock, response: hello }\n  - { name: bad, provider: mock, response: no }\n',
        'two/both.test.yaml':
          '- { id: both, targets: [good, bad], input: x, assert: { output.includes: hello } }\n- { id: one, targets: [good], input: x, assert: { output.includes: hello } }\n',
        'two/both.spec.ts': "import { assaySuite } from 'assay/vitest';\nassaySuite('both.test.yaml');\n",
        'meta/agent.mjs':
          "export const agent = (input) => { console.log('looked up ' + input); return { output: 'x', tools_used: [] }; };\n",
        'meta/meta.test.yaml':
          '- { id: prints, tags: [smoke, other], input: hello, assert: { output.includes: bye } }\n- { id: good, input: x, assert: { output.includes: x } }\n',
        'meta/meta.spec.ts': `import { afterEach } from 'vitest';
import { assaySuite } from 'assay/vitest';
import { agent } from './agent.mjs';
afterEach(({ task }) => {
  const { assay_record: record, assay_records: all } = task.meta;
  console.log('meta of ' + task.name + ': ' + [record.verdict, all.length, record.steps[0].printed].join(', '));
});
assaySuite('meta.test.yaml', { agent });
`,
        'modes/two.test.yaml':
          '- { id: good, input: good, assert: { output.includes: good } }\n- { id: bad, input: bad, assert: { output.includes: good } }\n',
        'modes/agent.mjs':
          "import { appendFileSync } from 'node:fs';\nexport const agent = (input) => { appendFileSync('calls', input + '\\n'); return input; };\n",
        'modes/concurrent.spec.ts': `import { describe } from 'vitest';
import { assaySuite } from 'assay/vitest';
import { agent } from './agent.mjs';
describe.concurrent('together', () => assaySuite('two.test.yaml', { agent }));
`,
        'modes/only.spec.ts': `import { test } from 'vitest';
import { assaySuite } from 'assay/vitest';
import { agent } from './agent.mjs';
assaySuite('two.test.yaml', { agent });
test.only('alone', () => undefined);
`,
        'watched/one.test.yaml': 'id: one\ninput: hello\nassert: { output.includes: hello }\n',
        'watched/one.spec.ts': "import { assaySuite } from 'assay/vitest';\nassaySuite('one.test.yaml');\n",
        'bad/empty.test.yaml': '[]\n',
        'bad/broken.test.yaml': 'id: x\ninput: y\nassert: { output.inclods: z }\n',
        'bad/only.test.yaml':
          '- {id: a, input: x, only: true, assert: {output.includes: x}}\n- {id: b, input: y, assert: {output.includes: x}}\n',
        'bad/only.spec.ts': `import { assaySuite } from 'assay/vitest';\nassaySuite('only.test.yaml', { agent: './agent.mjs' });\n`,
        'bad/none.spec.ts': `import { test } from 'vitest';\nimport { assaySuite } from 'assay/vitest';\nassaySuite([]);\ntest('passes', () => {});\n`,
        'bad/option.spec.ts': `import { test } from 'vitest';\nimport { assaySuite } from 'assay/vitest';\nassaySuite('only.test.yaml', { repeat: 3 } as object);\ntest('passes', () => {});\n`,
        'bad/empty.spec.ts': "import { assaySuite } from 'assay/vitest';\nassaySuite('empty.test.yaml');\n",
        'bad/broken.spec.ts': "import { assaySuite } from 'assay/vitest';\nassaySuite('broken.test.yaml');\n",
        'bad/missing.spec.ts':
          "import { assaySuite } from 'assay/vitest';\nassaySuite('nowhere.test.yaml');\n",
        'bad/gate.spec.ts': `import { assaySuite } from 'assay/vitest';
assaySuite('../specs/fine.test.yaml', { maxCost: 0, agent: () => ({ output: 'hello', cost_usd: 1, tools_used: [] }) });
`,
        'bad/target.spec.ts':
          "import { assaySuite } from 'assay/vitest';\nassaySuite('../specs/fine.test.yaml', { target: 'nobody' });\n",
        'bad/vanish.test.yaml':
          '- { id: stays, input: hello, assert: { output.includes: hello } }\n- { id: goes, input: hello, assert: { output.includes: hello } }\n',
        'bad/vanish.spec.ts': `import { writeFileSync } from 'node:fs';
import { beforeAll } from 'vitest';
import { assaySuite } from 'assay/vitest';
beforeAll(() => writeFileSync(new URL('./vanish.test.yaml', import.meta.url), '- { id: stays, input: hello, assert: { output.includes: hello } }\\n'));
assaySuite('vanish.test.yaml');
`,
      });
      const packages = join(project.path, 'node_modules');
      mkdirSync(join(packages, 'assay'), { recursive: true });
      for (const name of ['dist', 'package.json'])
        cpSync(join(ROOT, name), join(packages, 'assay', name), { recursive: true });
      symlinkSync(vitest, join(packages, 'vitest'));
    });
    afterAll(() => project.remove());

    async function runVitest(
      ...args: string[]
    ): Promise<{ exitCode: number | null; output: string; report: Report }> {
      const file = join(project.path, 'report.json');
      writeFileSync(file, '{}');
      const program = join(vitest, 'vitest.mjs');
      const child = spawn(
        process.execPath,
        [
          program,
          'run',
          ...args,
          '--maxWorkers=1',
          '--reporter=default',
          '--reporter=json',
          `--outputFile=${file}`,
        ],
        {
          cwd: project.path,
          env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
      return { exitCode, output, report: JSON.parse(readFileSync(file, 'utf8')) as Report };
    }

    function runs(): readonly string[] {
      try {
        return readdirSync(join(project.path, '.assay', 'runs')).sort();
      } catch {
        return [];
      }
    }

    function recorded(run: string): readonly { readonly test: string; readonly verdict: string }[] {
      return readFileSync(join(project.path, '.assay', 'runs', run, 'results.jsonl'), 'utf8')
        .split('\n')
        .flatMap((line) => /^(\{"id".*\})/.exec(line)?.[1] ?? [])
        .map((line) => JSON.parse(line.replace(/\}[^}]*$/, '}')) as { test: string; verdict: string });
    }

    test('a failure shows what the agent printed, and `task.meta` holds the record', async () => {
      const { output, report } = await runVitest('meta');
      expect(output).toContain('meta of prints: failed, 1, looked up hello');
      const [prints] = report.testResults[0]!.assertionResults;
      expect(prints!.failureMessages.join('\n')).toContain('printed: looked up hello');
    });

    test.skipIf(version.startsWith('vitest 3'))(
      'tags of the config of vitest are tags of its tests',
      async () => {
        const { output } = await runVitest('meta', '--tags-filter=smoke');
        expect(output).toContain('Tests  1 failed | 1 skipped (2)');
      },
    );

    test('each test is a test of vitest with the verdict of `assay run`, and failures lead to the YAML', async () => {
      const before = runs();
      const { exitCode, output, report } = await runVitest('specs/talk.spec.ts');
      expect(exitCode).toBe(1);
      const [{ assertionResults }] = report.testResults as [Report['testResults'][number]];
      expect(Object.fromEntries(assertionResults.map(({ title, status }) => [title, status]))).toEqual({
        passes: 'passed',
        fails: 'failed',
        crashes: 'failed',
        'is skipped': 'skipped',
        held: 'passed',
        broken: 'failed',
        'row-1': 'passed',
        'row-2': 'passed',
        'row-3': 'passed',
      });
      const messageOf = (name: string): string =>
        assertionResults.find(({ title }) => title === name)!.failureMessages.join('\n');
      const path = join(project.path, 'specs', 'talk.test.yaml');
      expect(messageOf('fails')).toContain('output.includes: expected "goodbye", got "You said hello"');
      expect(messageOf('fails')).toContain(`at fails (${path}:8:22)`);
      expect(messageOf('crashes')).toMatch(/crashes could not be measured \(agent\)[^]*the database is down/);
      expect(messageOf('broken')).toContain('passed 2 of 4');
      // The line that editors and terminals open, with the text of the file.
      expect(output).toMatch(/❯ fails specs\/talk\.test\.yaml:8:22/);
      expect(output).toContain('> 8 |     output.includes: goodbye');
      expect(output).toMatch(/❯ crashes specs\/talk\.test\.yaml:9:3/);
      expect(output).not.toContain('❯ agent');

      const [run, ...others] = runs().filter((name) => !before.includes(name));
      expect(others).toEqual([]);
      const cli = await runCli(['run', 'specs/talk.test.yaml', '--reporter', 'json'], { cwd: project.path });
      const { results } = JSON.parse(cli.stdout) as { results: { test: string; verdict: string }[] };
      const verdicts = (records: readonly { test: string; verdict: string }[]): readonly string[] =>
        records.map(({ test: name, verdict }) => `${name} ${verdict}`).sort();
      expect(verdicts(recorded(run!))).toEqual(verdicts(results));
    });

    test('a filter of vitest runs only what it selects, also one row of several', async () => {
      const before = runs();
      const { exitCode, report } = await runVitest('specs/talk.spec.ts', '-t', 'passes|row-2');
      expect(exitCode).toBe(0);
      const ran = report.testResults[0]!.assertionResults.filter(({ status }) => status === 'passed');
      expect(ran.map(({ title }) => title)).toEqual(['passes', 'row-2']);
      const run = runs().find((name) => !before.includes(name));
      expect(
        recorded(run!)
          .map(({ test: name }) => name)
          .sort(),
      ).toEqual(['passes', 'row-2']);
      // Nothing selected: nothing runs.
      const after = runs();
      await runVitest('specs/talk.spec.ts', '-t', 'no such test');
      expect(runs()).toEqual(after);
    });

    test('a function can be the agent, and tests of several files are told apart, with any names', async () => {
      const before = runs();
      const { exitCode, report } = await runVitest(
        'specs/function.spec.ts',
        'specs/odd.spec.ts',
        '-t',
        'fine|two.* (a|%s)',
      );
      expect(exitCode).toBe(0);
      const ran = report.testResults.flatMap(({ assertionResults }) =>
        assertionResults.filter(({ status }) => status === 'passed').map(({ title }) => title),
      );
      expect(ran.sort()).toEqual(['%s (a|b) $1', 'a', 'fine']);
      const records = runs()
        .filter((name) => !before.includes(name))
        .flatMap((name) => recorded(name));
      expect(records.map(({ test: name }) => name).sort()).toEqual(ran);
    });

    test('nothing is green without having been checked', async () => {
      const { exitCode, output, report } = await runVitest('bad');
      expect(exitCode).toBe(1);
      const status = Object.fromEntries(
        report.testResults.map(({ name, status: result }) => [name.split('/').at(-1), result]),
      );
      expect(status).toEqual({
        'broken.spec.ts': 'failed',
        'empty.spec.ts': 'failed',
        'gate.spec.ts': 'failed',
        'missing.spec.ts': 'failed',
        'none.spec.ts': 'failed',
        'only.spec.ts': 'failed',
        'option.spec.ts': 'failed',
        'target.spec.ts': 'failed',
        'vanish.spec.ts': 'failed',
      });
      expect(output).toMatch(/broken\.test\.yaml:3/);
      const messages = Object.fromEntries(
        report.testResults.map(({ name, assertionResults }) => [
          name.split('/').at(-1),
          assertionResults.flatMap(({ failureMessages }) => failureMessages).join('\n'),
        ]),
      );
      expect(messages['gate.spec.ts']).toMatch(
        /the run stopped before this test ended\ngate max_cost inconclusive: .* not started/,
      );
      expect(messages['vanish.spec.ts']).toMatch(/no result of this test\nhint: .*the file changed/);
      expect(output).toContain('nobody');
      expect(output).toContain('`only` in a suite hides 1 of its tests');
      expect(output).toContain('assaySuite needs the path of a suite');
      expect(output).toMatch(/assaySuite has no option "repeat": did you mean .repeats.\?/);
      // A filter that matches nothing does not hide a broken suite.
      expect((await runVitest('bad/broken.spec.ts', '-t', 'no such test')).exitCode).toBe(1);
    });

    test('concurrent, shuffled, retried, in threads, beside `only`: each test runs once or not at all', async () => {
      const calls = join(project.path, 'calls');
      const { report } = await runVitest('modes', '--retry=2', '--sequence.shuffle', '--pool=threads');
      const found = report.testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ title, status }) => `${title} ${status}`),
      );
      expect(found.toSorted()).toEqual(
        ['alone passed', 'bad failed', 'bad skipped', 'good passed', 'good skipped'].toSorted(),
      );
      expect(readFileSync(calls, 'utf8').split('\n').toSorted()).toEqual(['', 'bad', 'good']);
    });

    test('in watch mode, an edit of the YAML runs its tests again', async () => {
      const file = join(project.path, 'watched', 'one.test.yaml');
      const child = spawn(process.execPath, [join(vitest, 'vitest.mjs'), 'watch', 'watched', '--root=.'], {
        cwd: project.path,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      const ended = new Promise((resolve) => child.once('close', resolve));
      try {
        await until(() => /1 passed/.test(output), `the first run: ${output}`);
        writeFileSync(file, 'id: one\ninput: hello\nassert: { output.includes: goodbye }\n');
        await until(() => /one\.test\.yaml:3/.test(output), 'the run after the edit');
      } finally {
        child.kill('SIGKILL');
        await ended;
      }
    });

    test('a test of several targets fails if one of them does, and says which', async () => {
      const { exitCode, report } = await runVitest('two/both');
      expect(exitCode).toBe(1);
      const [both, one] = report.testResults[0]!.assertionResults;
      expect([both!.status, one!.status]).toEqual(['failed', 'passed']);
      expect(both!.failureMessages[0]).toContain('both [bad] failed');
      expect(both!.failureMessages[0]).toContain('two/both.test.yaml:1 --target bad');
    });
  });
}
