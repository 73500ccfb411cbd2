import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Report } from '../../src/base/model/report.ts';
import { filesOf } from '../../src/agents/coding/acp-files.ts';
import { WorkspaceHost } from '../../src/agents/workspace/workspace-host.ts';
import { createProject, runCli } from '../project.ts';

const AGENT = fileURLToPath(new URL('../fixtures/acp/scripted-agent.mjs', import.meta.url));
const inShell = (line: string): object => ({ type: 'command', command: ['sh', '-c', line] });

test('an agent that speaks ACP works in the workspace; it rests while a step is graded, and is ended before the last one is', async () => {
  const project = createProject({
    'shop/a.txt': 'a\n',
    'home/.claude/CLAUDE.md': 'LEAK',
    'suite.test.json': JSON.stringify({
      id: 'steps',
      workspace: { template: './shop' },
      timeouts: { checks: '60s' },
      steps: [
        {
          input: 'write:b.txt background turns',
          assert: [
            { type: 'contains', value: 'turn 1 of' },
            { type: 'diff', only: ['b.txt', 'pid'], max_files: 2 },
            { type: 'files', path: 'b.txt', matches: String.raw`^(/.*/work) \1 /.*/home\n$` },
            inShell('until grep -q "State:.T" /proc/$(cat pid)/status; do :; done'),
          ],
        },
        {
          input: 'write:b.txt turns',
          assert: [
            { type: 'contains', value: 'turn 2 of' },
            inShell('test $(wc -l < b.txt) = 2'),
            inShell('! grep "State:.[RSDT]" /proc/$(cat pid)/status'),
          ],
        },
      ],
    }),
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'coder', provider: 'acp', command: [process.execPath, AGENT] }],
    }),
  });
  try {
    const args = ['run', '--allow-scripts', '--reporter', 'json'];
    const env = { HOME: join(project.path, 'home') };
    const { stdout, exitCode } = await runCli(args, { cwd: project.path, env });
    const { results } = JSON.parse(stdout) as Report;
    expect(results.map(({ verdict, error }) => error ?? verdict)).toEqual(['passed']);
    expect(exitCode).toBe(0);
    // Nothing that it wrote is in the project.
    expect(readdirSync(project.path)).not.toContain('b.txt');
  } finally {
    project.remove();
  }
});

/** Runs the scripted agent in a workspace, with a folder that is not part of it. */
async function runWithFiles({ steps }: { readonly steps: readonly object[] }) {
  const target = { name: 'coder', provider: 'acp', command: [process.execPath, AGENT] };
  const project = createProject({
    'shop/a.txt': 'one\ntwo\nthree\nfour',
    'shop/large.txt': 'x'.repeat(10 * 1024 ** 2 + 1),
    'outside/secret.txt': 'SECRET',
    'assay.config.json': JSON.stringify({ targets: [target] }),
  });
  try {
    const outside = join(project.path, 'outside');
    const suite = { id: 'files', workspace: { template: './shop' }, timeouts: { checks: '60s' }, steps };
    const text = JSON.stringify(suite).replaceAll('OUTSIDE', outside);
    writeFileSync(join(project.path, 'suite.test.json'), text);
    const args = ['run', 'suite.test.json', '--allow-scripts', '--reporter', 'json'];
    const { stdout } = await runCli(args, { cwd: project.path });
    const [record] = (JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] }).results;
    expect(record!.error).toBeUndefined();
    return {
      record: record!,
      output: (record!.steps[0]!.output as string).replaceAll(outside, 'OUTSIDE'),
      printed: (record!.steps[0]!.printed ?? '').replaceAll(outside, 'OUTSIDE'),
      secret: readFileSync(join(outside, 'secret.txt'), 'utf8'),
    };
  } finally {
    project.remove();
  }
}

test('an agent that speaks ACP reads and writes files of the workspace through Assay', async () => {
  const input = [
    'files',
    'read:.../a.txt',
    'read:.../a.txt:2:2',
    'read:.../a.txt:9',
    'read:.../none.txt',
    'put:.../new/deep/b.txt:hello',
    'link:same:new',
    'put:.../same/../new/deep/b.txt:shorter',
    'put:.../same/c.txt:linked',
    'read:.../new/c.txt',
    'put:.../a.txt:1',
  ];
  const { record, output, printed } = await runWithFiles({
    steps: [
      {
        input: input.join(' '),
        assert: [
          { type: 'diff', only: ['a.txt', 'same', 'new/**'], max_files: 4 },
          { type: 'files', path: 'new/deep/b.txt', matches: '^shorter$' },
          { type: 'files', path: 'a.txt', matches: '^1$' },
        ],
      },
    ],
  });
  expect(output).toBe(
    [
      '{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":false,"auth":{"terminal":false}}',
      '[one\ntwo\nthree\nfour]',
      '[two\nthree\n]',
      '[]',
      '[Resource not found: .../none.txt]',
      '[written]',
      '[written]',
      '[written]',
      '[linked]',
      '[written]',
    ].join(''),
  );
  expect(record.verdict).toBe('passed');
  expect(record.steps[0]!.tool_calls).toEqual([]);
  expect(printed).toBe('');
});

test('no file outside of the workspace is read or written for an agent that speaks ACP', async () => {
  const refused = {
    'OUTSIDE/secret.txt': 'is outside of the workspace',
    '.../../work2/x': 'is outside of the workspace',
    '.../out/secret.txt': 'is outside of the workspace',
    '.../out/new/x': 'is outside of the workspace',
    '.../secret': 'is outside of the workspace',
    '.../nowhere': 'is a link that leads nowhere',
    '.../hard': 'is a hard link, which may be a file outside of the workspace',
    '.../pipe': 'is not a file',
    '.../a.txt/x': 'is below something that is not a folder',
    'a.txt': '`path` must be an absolute path',
  };
  const made = 'link:out:OUTSIDE link:secret:OUTSIDE/secret.txt link:nowhere:OUTSIDE/new.txt';
  const paths = Object.keys(refused);
  const { output, printed, secret } = await runWithFiles({
    steps: [
      {
        input: [made, 'hard:hard:OUTSIDE/secret.txt fifo:pipe']
          .concat(paths.flatMap((path) => (path === '.../nowhere' ? [] : [`read:${path}`])))
          .concat(
            paths.map((path) => `put:${path}:changed`),
            'read:.../large.txt',
          )
          .join(' '),
        assert: [
          { type: 'diff', only: ['out', 'secret', 'nowhere', 'hard', 'pipe'] },
          { type: 'not-contains', value: 'SECRET' },
        ],
      },
    ],
  });
  const said = (path: string): string => {
    const why = refused[path as keyof typeof refused];
    return why.startsWith('`') ? `[${why}]` : `[${path} ${why}]`;
  };
  const reads = paths.filter((path) => path !== '.../nowhere');
  expect(output).toBe(`${[...reads, ...paths].map(said).join('')}[.../large.txt is larger than 10 MB]`);
  expect(secret).toBe('SECRET');
  expect(printed.match(/^Assay refused fs\/(read|write)_text_file: /gm)).toHaveLength(
    reads.length + paths.length + 1,
  );
  expect(printed).toContain('Assay refused fs/write_text_file: OUTSIDE/secret.txt is outside');
});

test('an agent that speaks ACP changes nothing through Assay after its turn', async () => {
  const { record } = await runWithFiles({
    steps: [
      { input: 'put:.../b.txt:b put-late:c.txt', assert: [{ type: 'diff', only: ['b.txt'] }] },
      { input: 'read:.../b.txt', assert: { 'output.equals': '[b]' } },
    ],
  });
  expect(record.verdict).toBe('passed');
  expect(record.steps[0]!.printed).toBe('Assay refused fs/write_text_file: the turn is over\n');
});

test('a workspace that is graded is not changed through Assay', async () => {
  const project = createProject({ 'shop/a.txt': 'a' });
  const host = new WorkspaceHost({ maySuiteRun: async () => true, scriptEnv: async () => process.env });
  try {
    const { agent, resume, beforeGrading, finish } = await host.open({
      id: 'files',
      file: join(project.path, 'suite.test.yaml'),
      plan: { template: join(project.path, 'shop'), place: { file: 'suite.test.yaml', line: 1, column: 1 } },
      sealing: 'coding',
      signal: new AbortController().signal,
    });
    const path = join(agent.folder, 'a.txt');
    const write = (content: string): object =>
      filesOf(agent)('fs/write_text_file', { sessionId: 's', path, content });
    resume();
    expect(write('first')).toEqual({});
    await beforeGrading(false);
    expect(() => write('late')).toThrow('the workspace is being graded');
    resume();
    expect(write('second')).toEqual({});
    await beforeGrading(true);
    resume();
    expect(() => write('late')).toThrow('the workspace is being graded');
    expect(readFileSync(path, 'utf8')).toBe('second');
    await finish(false);
  } finally {
    await host.close();
    project.remove();
  }
});

test('without a workspace, an agent that speaks ACP uses its own file system', async () => {
  const project = createProject({
    'suite.test.json': JSON.stringify({
      input: 'files read:/etc/hostname',
      assert: [
        { type: 'contains', value: '"readTextFile":false,"writeTextFile":false' },
        { type: 'contains', value: 'Method not found' },
      ],
    }),
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'coder', provider: 'acp', command: [process.execPath, AGENT] }],
    }),
  });
  try {
    const { stdout, exitCode } = await runCli(['run', '--reporter', 'json'], { cwd: project.path });
    expect(exitCode, stdout).toBe(0);
  } finally {
    project.remove();
  }
});
