import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../../src/base/model/record.ts';
import { CLI, createProject, runCli } from '../../project.ts';
import { startModelServer, type ModelServer, type Turn } from '../../servers/model-server.ts';

// How judges of AgentV 2.x suites see a test: the payload of scripts, the text of parts, the model they may ask.

const SDK = pathToFileURL(join(fileURLToPath(new URL('.', pathToFileURL(CLI))), 'judge.js')).href;
const ends: (() => unknown)[] = [];

afterAll(async () => {
  for (const end of ends) await end();
});

interface Ran {
  readonly path: string;
  readonly exitCode: number | null;
  readonly stderr: string;
  /** By the id of the test. */
  readonly results: Readonly<Record<string, AttemptRecord>>;
}

async function run(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const project = createProject(files);
  ends.push(() => project.remove());
  const args = ['run', 'evals', '--agent', 'agent.mjs', '--allow-scripts', '--reporter', 'json'];
  const { stdout, stderr, exitCode } = await runCli(args, { cwd: project.path, env });
  const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
  return {
    path: project.path,
    exitCode,
    stderr,
    results: Object.fromEntries(results.map((record) => [record.test, record])),
  };
}

function assertionsOf(record: AttemptRecord | undefined) {
  return [...record!.steps.flatMap(({ assertions }) => assertions), ...record!.assertions];
}

/** What the script `see.mjs` printed as its details. */
function seenIn(record: AttemptRecord | undefined): Record<string, never> {
  const [seen] = assertionsOf(record);
  expect(seen?.error).toBeUndefined();
  return seen!.details as Record<string, never>;
}

/** Gives back its input, or what the input asks for. */
const AGENT = `
export default (input) => {
  const at = input.indexOf('reply:');
  return at === -1 ? { output: input } : JSON.parse(input.slice(at + 6));
};`;

const SEE = `
import { CodeJudgeInputSchema, defineCodeJudge } from '${SDK}';
import { readFileSync } from 'node:fs';
await defineCodeJudge((input) => {
  CodeJudgeInputSchema.parse(input);
  const trace = CodeJudgeInputSchema.shape.traceSummary.unwrap().unwrap().strict();
  if (input.traceSummary) trace.parse(JSON.parse(JSON.stringify(input.trace_summary), (_key, value) =>
    value === null || Array.isArray(value) || typeof value !== 'object' || 'input' in value ? value
      : Object.fromEntries(Object.entries(value).map(([k, v]) => [k.replace(/_([a-z])/g, (_, c) => c.toUpperCase()), v]))));
  const { question, input_files, guideline_files, reference_answer, candidate_answer, trace_summary } = input;
  const texts = input.inputFiles.map((path) => readFileSync(path, 'utf8'));
  return { score: 1, details: { question, input_files, guideline_files, reference_answer, candidate_answer, trace_summary, texts } };
});`;

const see = '{ type: code_judge, script: [node, see.mjs] }';
const files = {
  'agent.mjs': AGENT,
  'evals/see.mjs': SEE,
  'evals/menu.txt': 'soup\nbread\n',
  'shared/tone.instructions.md': 'Be kind.\n',
};

describe('what agents and judges receive', () => {
  const cases = `
evaluators: [${see}]
evalcases:
  - id: parts
    input:
      - role: user
        content:
          - { type: text, value: "Read this:\\n" }
          - { type: file, value: menu.txt }
          - { type: file, value: shared/tone.instructions.md }
          - { type: text, value: What is there? }
    expected_output:
      - { role: assistant, content: [{ type: text, value: Soup }, { type: text, value: and bread }] }
  - id: conversation
    input:
      - { role: system, content: Be brief }
      - { role: user, content: [{ type: text, value: One? }] }
      - { role: assistant, content: First }
      - { role: user, content: Two? }
  - id: parts-in-the-reply
    input: 'reply:{"output_messages":[{"role":"assistant","content":[{"type":"text","text":"Hello"},{"type":"text","text":"you"}]}]}'
    evaluators: [${see}, { type: equals, value: "Hello\\n\\nyou" }, { type: match }]
    expected_output: [{ role: assistant, content: [{ type: text, value: Hello }, { type: text, value: you }] }]
`;

  test('texts of parts, the conversation, and files that can be opened', async () => {
    const { results, path, exitCode } = await run({ ...files, 'evals/a.eval.yaml': cases });
    const named = `Read this:\n\n<file: path="menu.txt">\n\n<file: path="shared/tone.instructions.md">\n\nWhat is there?`;
    expect(results['parts']!.steps[0]).toMatchObject({ input: named, output: named });
    expect(seenIn(results['parts'])).toMatchObject({
      question:
        'Read this:\n\n<file path="menu.txt">\nsoup\nbread\n</file>\n\n<file path="shared/tone.instructions.md">\nBe kind.\n</file>\n\nWhat is there?',
      input_files: [join(path, 'evals/menu.txt')],
      guideline_files: [join(path, 'shared/tone.instructions.md')],
      reference_answer: 'Soup\n\nand bread',
      candidate_answer: named,
      texts: ['soup\nbread\n'],
    });
    const said = '@[System]:\nBe brief\n\n@[User]:\nOne?\n\n@[Assistant]:\nFirst\n\n@[User]:\nTwo?';
    expect(results['conversation']!.steps[0]).toMatchObject({ input: said });
    expect(seenIn(results['conversation'])).toMatchObject({ question: said });
    expect(results['parts-in-the-reply']!.steps[0]).toMatchObject({ output: 'Hello\n\nyou' });
    expect(seenIn(results['parts-in-the-reply'])).toMatchObject({ candidate_answer: 'Hello\n\nyou' });
    expect(exitCode).toBe(0);
  });
});

describe('trace_summary, read by a strict schema', () => {
  const counters = { event_count: 0, tool_names: [], tool_calls_by_name: {}, error_count: 0 };
  const shapes: Readonly<Record<string, readonly [reply: object, summary: object | null]>> = {
    'names only': [
      { output: 'x', tools_used: ['get_b', 'a', 'get_b'] },
      { event_count: 3, tool_names: ['a', 'get_b'], tool_calls_by_name: { a: 1, get_b: 2 }, error_count: 0 },
    ],
    'calls without a status': [
      { output: 'x', tool_calls: [{ tool: 'a', duration_ms: 4 }] },
      { event_count: 1, error_count: 0, tool_durations: { a: [4] } },
    ],
    'a call that failed': [{ output: 'x', tool_calls: [{ tool: 'a', status: 'error' }] }, { error_count: 1 }],
    'no call': [{ output: 'x', tools_used: [] }, counters],
    'usage only': [
      { output: 'x', token_usage: { input: 1, output: 2, cached: null }, cost_usd: null },
      { ...counters, token_usage: { input: 1, output: 2 } },
    ],
    'cost only': [
      { output: 'x', cost_usd: 0.5 },
      { ...counters, cost_usd: 0.5 },
    ],
    nothing: [{ output: 'x' }, null],
    'calls under other names': [
      {
        output_messages: [
          { role: 'assistant', tool_calls: [{ name: 'a', arguments: '{"x_y":1}', id: null }] },
          { role: 'assistant', content: 'x' },
        ],
      },
      { event_count: 1, tool_names: ['a'] },
    ],
    'messages with nulls': [
      {
        output_messages: [
          {
            role: 'assistant',
            content: null,
            name: null,
            tool_calls: [{ tool: 'a', input: { deep_key: null } }],
          },
          { role: 'tool', content: 'done', tool_calls: null },
          { role: 'assistant', content: 'x' },
        ],
      },
      { event_count: 1, tool_names: ['a'] },
    ],
  };

  test('always has its counters, and no nulls', async () => {
    const cases = Object.entries(shapes).map(([id, [reply]]) => ({
      id,
      input: `reply:${JSON.stringify(reply)}`,
      evaluators: [{ type: 'code_judge', script: ['node', 'see.mjs'] }],
    }));
    const { results, exitCode } = await run({
      ...files,
      'evals/trace.eval.json': JSON.stringify({ evalcases: cases }),
    });
    for (const [id, [, summary]] of Object.entries(shapes)) {
      const { trace_summary: seen } = seenIn(results[id]);
      if (summary === null) expect([id, seen]).toEqual([id, null]);
      else expect(seen).toMatchObject(summary);
    }
    expect(exitCode).toBe(0);
  });
});

describe('scripts that fail', () => {
  const printed = JSON.stringify({
    score: 0,
    misses: ['no'],
    reasoning: 'Evaluation failed: errorCount is required',
  });
  const cases = `
evalcases:
  - id: reason-on-stdout
    input: x
    evaluators: [{ type: code_judge, script: [node, -e, 'console.log(process.argv[1]); process.exit(1)', '${printed}'] }]
  - id: words-on-stdout
    input: x
    evaluators: [{ type: code_judge, script: [sh, -c, 'echo the disk is full; exit 4'] }]
  - id: noise-on-stderr
    input: x
    evaluators: [{ type: code_judge, script: [node, -e, 'console.error("a warning"); console.log(process.argv[1]); process.exit(1)', '${printed}'] }]
  - id: too-slow
    input: x
    evaluators: [{ type: code_judge, script: [sh, -c, 'echo stuck at item 3; sleep 60'], timeout_ms: 500 }]
`;

  test('show their reason wherever they printed it', async () => {
    const { results, exitCode } = await run({ ...files, 'evals/b.eval.yaml': cases });
    const message = (id: string): string | undefined => results[id]?.error?.message;
    expect(message('reason-on-stdout')).toBe(
      'the script ended with exit code 1; the end of its stdout:\nEvaluation failed: errorCount is required',
    );
    expect(message('words-on-stdout')).toMatch(/exit code 4; the end of its stdout:\nthe disk is full$/);
    expect(message('noise-on-stderr')).toMatch(
      /stderr:\na warning\nEvaluation failed: errorCount is required$/,
    );
    expect(message('too-slow')).toMatch(/longer than 500 ms and was stopped; .*\nstuck at item 3$/);
    expect(exitCode).toBe(3);
  });
});

describe('scripts that ask the judge', () => {
  const ASK = `
import { createTargetClient, defineCodeJudge, TargetInvocationError } from '${SDK}';
await defineCodeJudge(async ({ candidateAnswer, config }) => {
  const client = createTargetClient();
  if (client === undefined) return { score: 0, reasoning: 'no client' };
  const secrets = Object.entries(process.env).filter(([, value]) => value.includes('sk-secret')).map(([name]) => name);
  const errors = [];
  const ask = async (question) => {
    try {
      return (await client.invoke({ question, systemPrompt: 'Yes or no.' })).rawText;
    } catch (error) {
      errors.push([error instanceof TargetInvocationError, error.statusCode, error.message]);
      return undefined;
    }
  };
  const answers = await Promise.all((config?.questions ?? [candidateAnswer]).map(ask));
  return { score: answers.includes('yes') ? 1 : 0, details: { answers, errors, secrets, info: await client.getInfo() } };
});`;

  const config = (url: string): string => `
judge: strict
targets:
  - { name: strict, provider: openai-compatible, model: judge-1, base_url: ${url}/v1, api_key: '\${{ JUDGE_KEY }}', price: { input: 1, output: 2 } }
  - { name: kind, provider: mock, response: 'yes' }
  - { name: program, command: cat }
`;
  const ask = (id: string, more: string): string =>
    `  - { id: ${id}, input: is it good, evaluators: [{ type: code_judge, script: [node, ask.mjs], ${more} }] }`;

  /** A script without a client, which does not look at the answer. */
  const raw = (id: string, more: string): string =>
    `  - { id: ${id}, input: is it good, evaluators: [{ type: code_judge, script: [node, raw.mjs], ${more} }] }`;
  const RAW = `
import { readFileSync } from 'node:fs';
const { token = process.env.AGENTV_TARGET_PROXY_TOKEN, body } = JSON.parse(readFileSync(0, 'utf8')).config;
const headers = { authorization: \`Bearer \${token}\` };
await fetch(\`\${process.env.AGENTV_TARGET_PROXY_URL}/invoke\`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
console.log('{"score": 1}');
`;

  async function runWith(
    turns: Turn[] | ((request: { readonly text: string }) => Turn),
    cases: readonly string[],
  ) {
    const server: ModelServer = await startModelServer(turns);
    ends.push(() => server.close());
    const ran = await run(
      {
        ...files,
        'assay.config.yaml': config(server.url),
        'evals/ask.mjs': ASK,
        'evals/raw.mjs': RAW,
        'evals/c.eval.yaml': `evalcases:\n${cases.join('\n')}\n`,
      },
      { JUDGE_KEY: 'sk-secret-0123456789' },
    );
    return { ...ran, requests: server.requests };
  }

  test('get answers up to their limit, get errors as errors, and never see a key', async () => {
    const { results, requests, stderr } = await runWith(
      ({ text }) =>
        text.includes('broken')
          ? { status: 400, message: 'bad model sk-secret-0123456789' }
          : { text: 'yes' },
      [
        ask('one', 'target: { max_calls: 1 }'),
        ask('five', 'target: true, questions: [a, b, c, d, e]'),
        ask('over', 'target: { max_calls: 2 }, questions: [a, b, c, d]'),
        ask('partly', 'target: { max_calls: 9 }, questions: [a, broken]'),
        ask('away', 'target: { max_calls: 9 }, questions: [broken]'),
        raw('wrong_token', 'target: true, token: wrong'),
        raw('wrong_target', 'target: true, body: { question: q, target: nobody }'),
        ask('without', 'weight: 1'),
        ask('closed', 'target: false'),
      ],
    );
    expect(seenIn(results['one'])).toEqual({
      answers: ['yes'],
      errors: [],
      secrets: [],
      info: { targetName: 'strict', maxCalls: 1, callCount: 1, availableTargets: ['strict', 'kind'] },
    });
    expect(results['one']).toMatchObject({ verdict: 'passed', judge_calls: 1 });
    expect(requests.map(({ body }) => body.messages as unknown)).toContainEqual([
      { role: 'system', content: 'Yes or no.' },
      { role: 'user', content: 'is it good' },
    ]);
    expect(results['one']!.judge_token_usage!.input).toBeGreaterThan(0);
    expect(results['one']!.judge_cost_usd).toBeGreaterThan(0);
    expect(results['five']).toMatchObject({ verdict: 'passed', judge_calls: 5 });
    expect(seenIn(results['five'])['info']).toMatchObject({ maxCalls: 50, callCount: 5 });
    const over = seenIn(results['over']) as unknown as { answers: unknown[]; errors: unknown[] };
    expect(over.answers.filter((answer) => answer === 'yes')).toHaveLength(2);
    expect(over.errors).toEqual(
      Array.from({ length: 2 }, () => [true, 429, 'Max calls exceeded (limit: 2)']),
    );
    expect(results['over']!.findings).toMatchObject([{ code: 'judge_call_refused' }]);
    expect(results['partly']!.findings).toMatchObject([{ code: 'judge_call_failed' }]);
    // If a script hides that the judge did not answer, its printed verdict does not count.
    expect(results['away']).toMatchObject({ verdict: 'error' });
    expect(results['away']!.error!.message).toMatch(/the judge answered none of its calls/);
    expect(results['wrong_token']!.error!.message).toMatch(/answered none of its calls: Unauthorized/);
    expect(results['wrong_target']!.error!.message).toMatch(/of its calls: Unknown target 'nobody'/);
    for (const id of ['without', 'closed'])
      expect(assertionsOf(results[id])).toMatchObject([{ score: 0, message: 'no client' }]);
    expect(JSON.stringify(results) + stderr).not.toContain('sk-secret');
  });

  test('are checked for a judge before the agent is called', async () => {
    const { results, exitCode } = await run({
      ...files,
      'evals/ask.mjs': ASK,
      'evals/d.eval.yaml': `evalcases:\n${ask('nobody', 'target: { max_calls: 3 }')}\n`,
    });
    expect(results['nobody']).toMatchObject({ verdict: 'error', steps: [] });
    expect(results['nobody']!.error!.message).toMatch(/no judge is configured/);
    expect(exitCode).toBe(3);
  });
});

describe('prompts', () => {
  const PROMPT = `
import { definePromptTemplate } from '${SDK}';
await definePromptTemplate((ctx) => ['Q: ' + ctx.question, 'A: ' + ctx.candidateAnswer, 'R: ' + ctx.referenceAnswer, 'M: ' + ctx.config?.strictMode].join('\\n'));`;
  const verdict = JSON.stringify({ reasoning: 'ok', evidence: [], hits: [], misses: [], score: 1 });

  test('show parts as text, and must show the answer', async () => {
    const server = await startModelServer([{ text: verdict }]);
    ends.push(() => server.close());
    const { results } = await run({
      ...files,
      'assay.config.yaml': `judge: { provider: openai-compatible, model: judge-1, base_url: ${server.url}/v1 }\n`,
      'evals/prompt.mjs': PROMPT,
      'evals/only.md': 'Expected: {{expected_messages}}\n',
      'evals/e.eval.yaml': `
evalcases:
  - id: template
    input: [{ role: user, content: [{ type: text, value: Which menu? }, { type: file, value: menu.txt }] }]
    expected_output: [{ role: assistant, content: [{ type: text, value: The soup }] }]
    evaluators: [{ type: llm_judge, prompt: { script: [node, prompt.mjs], config: { strict_mode: true } } }]
  - id: default
    expected_outcome: Names the menu
    input:
      - { role: user, content: Hello }
      - { role: assistant, content: Hi }
      - { role: user, content: [{ type: text, value: Which menu? }, { type: file, value: menu.txt }] }
  - id: blind
    input: x
    expected_output: y
    evaluators: [{ type: llm_judge, prompt: only.md }]
`,
    });
    const prompts = server.requests.map(({ body }) => body.messages.at(-1).content as string);
    expect(prompts).toHaveLength(2);
    expect(prompts.find((prompt) => prompt.startsWith('Q:'))).toBe(
      'Q: Which menu?\n\n<file path="menu.txt">\nsoup\nbread\n</file>\nA: Which menu?\n\n<file: path="menu.txt">\nR: The soup\nM: true\n',
    );
    const conversation =
      '@[User]:\nHello\n\n@[Assistant]:\nHi\n\n@[User]:\nWhich menu?\n\n<file path="menu.txt">\nsoup\nbread\n</file>';
    expect(prompts.find((prompt) => !prompt.startsWith('Q:'))).toContain(conversation);
    expect(results['blind']).toMatchObject({ verdict: 'error', steps: [] });
    expect(results['blind']!.error!.message).toContain(
      'put {{candidate_answer}} or {{output_messages}} into it',
    );
  });
});
