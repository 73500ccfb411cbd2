import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTapedProject, FETCH_AGENT, type TapedProject } from './taped-project.ts';

let project: TapedProject;
const FILES = {
  'assay.config.yaml': 'agent: ./agent.mjs\n',
  'agent.mjs': FETCH_AGENT,
  'weather.eval.yaml': `
tests:
  - id: paris
    input: Weather in Paris?
    assert: [{ type: contains, value: 21 degrees }]
`,
};
const CASSETTE = 'cassettes/weather.eval.yaml/paris@default.json';

beforeEach(async () => {
  project = await createTapedProject(FILES);
  const { exitCode, stderr } = await project.run(['run', '--cassettes', 'record']);
  expect(exitCode, stderr).toBe(0);
});
afterEach(() => project.remove());

/** What is wrong when the cassette is replayed. Nothing may have reached the model. */
async function replay(env: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
  const asked = project.server.requests.length;
  const { exitCode, stdout, stderr } = await project.run(['run', '--cassettes', 'replay'], env);
  expect(exitCode, stdout + stderr).toBe(3);
  expect(project.server.requests).toHaveLength(asked);
  expect(stdout).toContain('cassette error:');
  return stdout;
}

test('a changed prompt is an error that shows what changed', async () => {
  const shown = await replay({ SYSTEM: 'You are brief.\nNever use tools.' });
  expect(shown).toContain(
    `model call 1 of the attempt (step 1) was not recorded: ${CASSETTE} has no such request`,
  );
  expect(shown).toContain('the nearest is recording 1.1');
  expect(shown).toMatch(/messages\[0\]\.content:\n\s+- Use tools\.\n\s+\+ Never use tools\./);
});

test('another model, another tool or another order of messages is an error', async () => {
  expect(await replay({ MODEL: 'other-model' })).toMatch(/model:\n\s+- test-model\n\s+\+ other-model/);
  const agent = readFileSync(join(project.path, 'agent.mjs'), 'utf8');
  for (const changed of [
    agent.replace("name: 'weather'", "name: 'forecast'"),
    agent.replace('\\"degrees\\":21', '\\"degrees\\":22').replace('{"degrees":21}', '{"degrees":22}'),
    agent.replace(
      'const message = await ask(messages);',
      'const message = await ask([...messages].reverse());',
    ),
    agent.replace('      messages,\n', '      messages,\n      temperature: 0.5,\n'),
  ]) {
    expect(changed).not.toBe(agent);
    writeFileSync(join(project.path, 'agent.mjs'), changed);
    await replay();
  }
});

test('the request is in JUnit and in the JSON report too', async () => {
  await project.run(
    ['run', '--cassettes', 'replay', '--reporter', 'junit=out.xml', '--reporter', 'json=out.json'],
    {
      SYSTEM: 'Changed.',
    },
  );
  expect(project.read('out.xml')).toContain('the nearest is recording 1.1');
  const report = JSON.parse(project.read('out.json')) as {
    readonly results: readonly { readonly error: unknown }[];
  };
  expect(report.results[0]!.error).toMatchObject({
    kind: 'cassette',
    message: expect.stringContaining('+ Changed.') as string,
  });
});

test('one more call than recorded, or a repeat that was not recorded, is an error', async () => {
  const agent = readFileSync(join(project.path, 'agent.mjs'), 'utf8');
  writeFileSync(
    join(project.path, 'agent.mjs'),
    agent.replace(
      'const message = await ask(messages);',
      'await ask(messages); const message = await ask(messages);',
    ),
  );
  expect(await replay()).toContain('recording 1.1 is the same request, and was used already');
  writeFileSync(join(project.path, 'agent.mjs'), agent);
  const { stdout, exitCode } = await project.run(['run', '--cassettes', 'replay', '--repeats', '2']);
  expect(exitCode).toBe(3);
  expect(stdout).toContain(`${CASSETTE} has no repeat 2, only 1. Record with the same --repeats`);
});

test('an unused recording is listed', async () => {
  const agent = readFileSync(join(project.path, 'agent.mjs'), 'utf8');
  writeFileSync(
    join(project.path, 'agent.mjs'),
    agent.replace(
      'if (!message.tool_calls?.length) return',
      "if (true) return { output: '21 degrees' }; else return",
    ),
  );
  const { stderr, exitCode } = await project.run(['run', '--cassettes', 'replay']);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain('cassette_unused');
  expect(stderr).toContain(`${CASSETTE}: no call asked for recording 1.2`);
});

interface Damage {
  readonly title: string;
  change(text: string): string;
  readonly problem: string;
}

const DAMAGES: readonly Damage[] = [
  { title: 'torn', change: (text) => text.slice(0, text.length / 2), problem: 'it is damaged: ' },
  { title: 'empty', change: () => '', problem: 'it is damaged: ' },
  {
    title: 'newer',
    change: (text) => text.replace('"assay_cassette": 1', '"assay_cassette": 2'),
    problem: 'update Assay',
  },
  { title: 'no cassette', change: () => '{"name": "x"}', problem: 'it is not a cassette' },
  {
    title: 'of another test',
    change: (text) => text.replace('"test": "t4"', '"test": "rome"'),
    problem: 'it is of another test: damaged.eval.yaml, "rome"',
  },
  {
    title: 'of another file',
    change: (text) => text.replace('"file": "damaged.eval.yaml"', '"file": "a.yaml"'),
    problem: 'it is of another test',
  },
  {
    title: 'with a misspelled field',
    change: (text) => text.replace('"adds": [', '"add": ['),
    problem: 'repeats[0].agent[1].request has an unknown field "add": there are continues, with, adds',
  },
  {
    title: 'without a response',
    change: (text) => text.replaceAll('"response":', '"answer":'),
    problem: 'repeats[0].agent[0] has an unknown field "answer"',
  },
  {
    title: 'with a status of nonsense',
    change: (text) => text.replace('"status": 200', '"status": "yes"'),
    problem: 'repeats[0].agent[0].response.status must be a number',
  },
  {
    title: 'with two bodies',
    change: (text) =>
      text.replace('"body": {\n              "id"', '"text": "x", "body": {\n              "id"'),
    problem: 'one of `body`, `events` and `text`',
  },
  {
    title: 'that continues nothing',
    change: (text) => text.replace('"continues": "1.1"', '"continues": "7.1"'),
    problem: 'continues "7.1", but there is no such recording before it',
  },
  {
    title: 'with a repeat twice',
    change: (text) => text.replace(/"repeats": \[([\s\S]*)\]\n\}\n$/, '"repeats": [$1,$1]\n}\n'),
    problem: 'a repeat is there twice',
  },
  {
    title: 'with a list of lines that is none',
    change: (text) => text.replace(/"\$lines": \[/, '"$lines": [1, '),
    problem: '`$lines` must be a list of lines',
  },
];

test('a cassette that is damaged, of a newer version, or invalid is an error of its test', async () => {
  const tests = DAMAGES.map(
    (_, index) => `  - { id: t${index}, input: 'Weather?', assert: [{ type: contains, value: '21' }] }\n`,
  );
  writeFileSync(join(project.path, 'damaged.eval.yaml'), `tests:\n${tests.join('')}`);
  const recorded = await project.run(['run', 'damaged.eval.yaml', '--cassettes', 'record']);
  expect(recorded.exitCode, recorded.stdout).toBe(0);
  for (const [index, { change, title }] of DAMAGES.entries()) {
    const path = join(project.path, `cassettes/damaged.eval.yaml/t${index}@default.json`);
    const before = readFileSync(path, 'utf8');
    const changed = change(before);
    expect(changed, title).not.toBe(before);
    writeFileSync(path, changed);
  }
  const args = ['run', 'damaged.eval.yaml', '--cassettes', 'replay', '--reporter', 'json=out.json'];
  expect(await project.run(args)).toMatchObject({ exitCode: 3 });
  const { results } = JSON.parse(project.read('out.json')) as {
    readonly results: readonly {
      readonly test: string;
      readonly error: { readonly kind: string; readonly message: string };
    }[];
  };
  for (const [index, { title, problem }] of DAMAGES.entries()) {
    const { kind, message } = results.find(({ test: id }) => id === `t${index}`)!.error;
    expect({ title, kind, message }).toMatchObject({
      kind: 'cassette',
      message: expect.stringContaining(problem) as string,
    });
    expect(message).toContain(
      `the cassette cassettes/damaged.eval.yaml/t${index}@default.json cannot be used: `,
    );
  }
});

test('a cassette of more than 64 MB is not read', async () => {
  truncateSync(join(project.path, CASSETTE), 64 * 1024 * 1024 + 1);
  expect(await replay()).toContain(`the cassette ${CASSETTE} is larger than 64 MB`);
});
