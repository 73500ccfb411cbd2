import { afterEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli, type Project } from '../project.ts';
import { useModelServers } from '../servers/use-model-servers.ts';

let project: Project | undefined;
afterEach(() => project?.remove());
const startServer = useModelServers();

/** Which skill the agent reaches for: with all skills installed, it takes one of the wrong ones now and then. */
const AGENT = `
export default (input, memory, { settings }) => {
  const used = settings.installed ? /use (\\w+)/.exec(input)?.[1] : undefined;
  return { output: 'x', tool_calls: used ? [{ tool: 'Skill', input: { skill: used } }] : [] };
};
`;

/** Expected, used, and how often. \`not pdf\` has no skill to expect. */
const CONFUSION = [
  ['pdf', 'pdf', 6],
  ['pdf', 'docx', 2],
  ['pdf', 'none', 1],
  ['docx', 'docx', 4],
  ['docx', 'pdf', 1],
  ['not pdf', 'none', 3],
  ['not pdf', 'pdf', 2],
  ['not pdf', 'docx', 1],
] as const;

const queries = CONFUSION.flatMap(([expected, used, count]) =>
  Array.from({ length: count }, (_, index) => ({
    query: `${expected}, use ${used === 'none' ? '-' : used}, ${index}`,
    should_trigger: !expected.startsWith('not'),
    expected_skill: expected.replace('not ', ''),
  })),
);

async function run(files: Readonly<Record<string, string>>, args: readonly string[], env = {}) {
  project = createProject({ 'package.json': '{"type":"module"}', ...files });
  const result = await runCli(['run', ...args], { cwd: project.path, env });
  return result;
}

test('recall, precision and confusion of a skill set are those that are known', async () => {
  const files = {
    'trigger_eval.json': JSON.stringify(queries),
    'agent.js': AGENT,
    'assay.config.json': JSON.stringify({
      targets: [
        {
          name: 'agent',
          agent: './agent.js',
          variants: [
            { name: 'with', with: { installed: true } },
            { name: 'without', with: { installed: false } },
          ],
        },
      ],
    }),
  };
  const { stdout } = await run(files, ['trigger_eval.json', '--target', 'agent', '--reporter', 'json']);
  const { summary, target_comparisons: comparisons = [] } = JSON.parse(stdout) as Report;
  const [having, lacking] = summary.targets!;
  expect(having).toMatchObject({ target: 'agent/with' });
  expect(having!.skill_triggers!.confusion).toEqual(
    CONFUSION.map(([expected, used, count]) => ({ expected, used, count })).toSorted((one, other) =>
      `${one.expected} ${one.used}` < `${other.expected} ${other.used}` ? -1 : 1,
    ),
  );
  const skills = Object.fromEntries(having!.skill_triggers!.skills.map((each) => [each.skill, each]));
  // Of 9 queries for pdf 6 were right. pdf was used 9 times: 6 for it, 1 for docx, 2 where it must not be.
  expect(skills['pdf']).toMatchObject({ recall: { count: 6, total: 9 }, precision: { count: 6, total: 9 } });
  // docx was used 2 times in place of pdf. Where pdf must not be used, docx may be.
  expect(skills['docx']).toMatchObject({ recall: { count: 4, total: 5 }, precision: { count: 4, total: 6 } });
  expect(skills['pdf']!.recall.low).toBeCloseTo(0.3542, 3);
  expect(skills['pdf']!.recall.high).toBeCloseTo(0.8794, 3);
  expect(lacking!.skill_triggers!.skills).toMatchObject([
    { skill: 'docx', recall: { count: 0, total: 5 }, precision: { count: 0, total: 0 } },
    { skill: 'pdf', recall: { count: 0, total: 9 }, precision: { count: 0, total: 0 } },
  ]);
  expect(summary.skill_triggers).toBeUndefined();
  expect(comparisons).toHaveLength(1);
});

test('the terminal shows the numbers and the mistakes, and says what was not measured', async () => {
  const agent = `${AGENT}
    const { default: _, ...rest } = {};
  `;
  const files = {
    'skills/pdf/evals/trigger_eval.json': JSON.stringify([
      { query: 'use pdf', should_trigger: true },
      { query: 'use docx', should_trigger: true },
      { query: 'use nothing else', should_trigger: false },
    ]),
    'agent.js': agent,
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'agent', agent: './agent.js', with: { installed: true } }],
    }),
  };
  const { stdout, exitCode } = await run(files, ['skills/pdf/evals/trigger_eval.json']);
  expect(stdout).toMatch(/Skills +pdf: recall 1\/2 \(50%, 95% confidence interval .*\), precision 1\/1/);
  expect(stdout).toContain('expected pdf, used docx: 1');
  expect(exitCode).toBe(1);
});

describe('a function whose model calls are observed', () => {
  const LOOP = `
    const ask = (messages) => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages, tools: [{ type: 'function', function: { name: 'Skill' } }] }),
    }).then((response) => response.json());
    export default async (input) => {
      const messages = [{ role: 'user', content: input }];
      for (;;) {
        const { message } = (await ask(messages)).choices[0];
        messages.push(message);
        if (!message.tool_calls) return { output: message.content };
        for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
      }
    };
  `;

  test('one model call per test: the next one is refused', async () => {
    const server = await startServer(
      { toolCalls: [{ name: 'Skill', args: '{"skill":"pdf"}' }] },
      { toolCalls: [{ name: 'Skill', args: '{"skill":"docx"}' }] },
      { text: 'done' },
    );
    const { stdout } = await run(
      {
        'trigger_eval.json': JSON.stringify([{ query: 'q', should_trigger: true, expected_skill: 'pdf' }]),
        'agent.js': LOOP,
      },
      ['trigger_eval.json', '--agent', './agent.js', '--reporter', 'json'],
      { OPENAI_BASE_URL: `${server.url}/v1` },
    );
    const { results } = JSON.parse(stdout) as Report;
    expect(results[0]!.verdict).toBe('passed');
    expect(results[0]!.steps[0]).toMatchObject({
      unfinished: 'first_tool_call',
      tool_calls: [{ tool: 'Skill', input: { skill: 'pdf' } }],
    });
    expect(server.requests.filter(({ path }) => path.includes('completions'))).toHaveLength(1);
  });

  test('an agent that answers at once is judged by its answer', async () => {
    const server = await startServer({ text: 'done' });
    const { stdout } = await run(
      {
        'trigger_eval.json': JSON.stringify([
          { query: 'q', should_trigger: true, expected_skill: 'pdf' },
          { query: 'r', should_trigger: false, expected_skill: 'pdf' },
        ]),
        'agent.js': LOOP,
      },
      ['trigger_eval.json', '--agent', './agent.js', '--reporter', 'json'],
      { OPENAI_BASE_URL: `${server.url}/v1` },
    );
    const { results } = JSON.parse(stdout) as Report;
    expect(results.map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
  });
});

test('where nobody sees the first call, the test is an error and in no number', async () => {
  const files = {
    'trigger_eval.json': JSON.stringify([{ query: 'q', should_trigger: false, expected_skill: 'pdf' }]),
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'program', command: [process.execPath, '-p', '1'] }],
    }),
  };
  const { stdout } = await run(files, ['trigger_eval.json', '--reporter', 'json']);
  const { results, summary } = JSON.parse(stdout) as Report;
  expect(results[0]!.error).toMatchObject({
    kind: 'config',
    message: expect.stringContaining('observe: true') as unknown,
  });
  expect(summary.skill_triggers).toMatchObject({ skills: [], unmeasured: 1 });
});

test('a test that stops at the first call cannot have later steps, and a claim about its answer is not reached', async () => {
  const files = {
    'two.test.json': JSON.stringify({
      stop_after: 'first_tool_call',
      steps: [
        { input: 'a', assert: { tools_used: [] } },
        { input: 'b', assert: { tools_used: [] } },
      ],
    }),
    'agent.js': AGENT,
  };
  const { stdout, stderr, exitCode } = await run(files, ['two.test.json', '--agent', './agent.js']);
  expect(exitCode).toBe(2);
  expect(stdout + stderr).toContain('it can have one step only');
});

test.each([
  [{ query: 'q' }, 'should_trigger'],
  [{ query: 'q', should_trigger: 'yes' }, 'should_trigger'],
  [{ query: '', should_trigger: true }, 'query'],
])('%j in a trigger file is an error at its place', async (item, field) => {
  const files = {
    'trigger_eval.json': JSON.stringify([{ query: 'ok', should_trigger: true }, item]),
    'agent.js': AGENT,
  };
  const { stdout, stderr, exitCode } = await run(files, ['trigger_eval.json', '--agent', './agent.js']);
  expect(exitCode).toBe(2);
  expect(stdout + stderr).toMatch(new RegExp(`trigger_eval\\.json:1:\\d+[^]*${field}`));
});
