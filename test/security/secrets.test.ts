import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createProject, runCli } from '../project.ts';
import { startModelServer } from '../servers/model-server.ts';
import { REPORTERS } from './reporters.ts';
import { secretForms } from './secret-forms.ts';

const SECRETS = {
  OPENAI_API_KEY: 'sk-live/0123+456="\\é\tdef ghi',
  /** Long enough for lines of base64 to be broken in it. */
  SIGNING_SECRET: 'long-'.repeat(20),
  /** Its name says nothing: the config names it. */
  ACME_PIN: 'pin-8765-4321',
  /** Only in `.env`. */
  FILE_TOKEN: 'from-the-file-42',
};
const PASSWORD = 'pass/word+8';
const KNOWN = Object.values(SECRETS);
/** What only a config names as a secret is not known to commands that read no config. */
const IN_SUITE = KNOWN.filter((secret) => secret !== SECRETS.ACME_PIN);
const ALL = [...KNOWN, PASSWORD];

/** Leaks every secret in every form, in the requested way. */
const LEAKING = `
const secrets = ${JSON.stringify(KNOWN)};
const wrap = (text) => text.replace(/(.{76})/g, '$1\\n');
const forms = (secret) => [
  secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString(), JSON.stringify(secret),
  JSON.stringify(JSON.stringify(secret)), encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  JSON.stringify(secret).replace(/[^ -~]/g, (unit) => '\\\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')),
  ...['', 'x', 'xx'].flatMap((before) => [
    Buffer.from(before + secret + 'yyy').toString('base64'), Buffer.from(before + secret + 'yyy').toString('base64url'),
    wrap(Buffer.from('-'.repeat(30) + before + secret + 'yyy').toString('base64')),
  ]),
];
const leaks = secrets.flatMap(forms).join(' ');
export function agent(input, memory) {
  console.log('printed', leaks);
  process.stderr.write('written ' + leaks);
  if (input === 'late') return new Promise((resolve) => setTimeout(() => {
    process.stdout.write('late ' + leaks + '\\n');
    setTimeout(() => { throw new Error('left behind ' + leaks); });
    resolve('late ' + leaks);
  }, 10));
  if (input === 'throw') throw new Error(leaks);
  if (input === 'contract') return { output: { [leaks]: leaks } };
  if (input === 'exit') process.exit(leaks);
  return {
    output: leaks, tool_calls: [{ tool: leaks, input: { [leaks]: leaks } }], memory: { [leaks]: leaks, deep: [[leaks]] },
    output_messages: [{ role: 'assistant', content: [{ type: 'text', text: leaks }] }],
  };
}
`;
const CASES = ['reply', 'late', 'throw', 'contract', 'exit'];

const project = createProject({
  'agent.mjs': LEAKING,
  'command.mjs': `#!${process.execPath}
import { agent } from './agent.mjs';
process.stdin.on('data', (text) => {
  const reply = agent(JSON.parse(text).input, {});
  Promise.resolve(reply).then((value) => process.stdout.write(JSON.stringify(value)));
});`,
  'agent.py': `
import json, subprocess
def agent(input_text, memory):
    reply = subprocess.run(['node', 'command.mjs'], input=json.dumps({'input': input_text}), capture_output=True, text=True)
    print(reply.stderr)
    if input_text in ('throw', 'exit'):
        raise RuntimeError(reply.stderr)
    return json.loads(reply.stdout.split('printed', 1)[0] or reply.stdout[reply.stdout.index('{'):])
`,
  'steps.test.json': JSON.stringify(
    CASES.map((input) => ({
      id: input,
      description: SECRETS.OPENAI_API_KEY,
      input,
      assert: { 'output.equals': IN_SUITE.join(' '), 'memory.deep': IN_SUITE },
    })),
  ),
  'assay.config.yaml': JSON.stringify({
    secrets: ['ACME_PIN'],
    targets: [
      { name: 'a', agent: './agent.mjs' },
      { name: SECRETS.OPENAI_API_KEY, agent: './agent.mjs' },
    ],
  }),
  '.env': `FILE_TOKEN=${SECRETS.FILE_TOKEN}\n`,
});
const AUTHORED = new Set(readdirSync(project.path));
const { FILE_TOKEN: _, ...env } = SECRETS;
let address: string;

const server = createServer((request, response) => {
  const isKnown = request.headers.authorization === `Basic ${btoa(`user:${PASSWORD}`)}`;
  response.writeHead(isKnown ? 401 : 403).end(`${request.headers.authorization} ${ALL.join(' ')}`);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  project.remove();
});

/** What Assay wrote to files. */
function written(): readonly string[] {
  return readdirSync(project.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !AUTHORED.has(path.slice(project.path.length + 1)))
    .map((path) => readFileSync(path, 'utf8'));
}

function leaksIn(text: string): readonly string[] {
  const unwrapped = text.replaceAll(/\\+n|\n/g, '');
  return ALL.flatMap(secretForms).filter((form) => text.includes(form) || unwrapped.includes(form));
}

async function expectNoLeak(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCli(args, { cwd: project.path, env });
  expect(leaksIn(stdout)).toEqual([]);
  expect(leaksIn(stderr)).toEqual([]);
  expect(written().flatMap(leaksIn)).toEqual([]);
  return stdout + stderr;
}

const AGENTS = ['./agent.mjs', './agent.py', 'cmd: node command.mjs'];
const LOST = `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:1/`;

type Reporter = (typeof REPORTERS)[number];

/** One prints, and the others write files: `written` looks into those. */
const PRINTERS = effort<readonly (readonly [string, Reporter])[]>({
  short: [
    ['./agent.mjs', 'terminal'],
    ['./agent.py', 'junit'],
    ['cmd: node command.mjs', 'jsonl'],
  ],
  long: REPORTERS.flatMap((reporter) => AGENTS.map((agent) => [agent, reporter] as const)),
});
/** Of the agents that are not reached. */
const PRINTS_ERRORS = effort<readonly Reporter[]>({ short: ['terminal'], long: REPORTERS });

function runWith(printer: Reporter): readonly string[] {
  const others = REPORTERS.filter((name) => name !== printer);
  const files = others.flatMap((name) => ['--reporter', `${name}=reports/${name}.txt`]);
  return ['run', '--retry', '0', '--reporter', printer, ...files];
}

function reportOf(name: Reporter): string {
  return readFileSync(join(project.path, 'reports', `${name}.txt`), 'utf8');
}

describe('no secret is in the output, in stderr or in a file', () => {
  test.each(PRINTERS)('the agent %s', async (agent, printer) => {
    expect(await expectNoLeak(...runWith(printer), '--agent', agent)).toContain('[redacted]');
    for (const other of REPORTERS.filter((name) => name !== printer))
      expect(reportOf(other), other).toContain('[redacted]');
  });

  describe.each(PRINTS_ERRORS)('%s prints', (printer) => {
    const run = runWith(printer);

    test('an agent with a password in its URL', async () => {
      const said = await expectNoLeak(...run, '--agent', address);
      const reports = REPORTERS.filter((name) => name !== printer).map(reportOf);
      for (const text of [said, ...reports]) {
        expect(text).toContain('answered 401');
        expect(text).not.toContain(`user:`);
      }
    });

    test('a URL with a password where nothing listens', async () => {
      await expectNoLeak(...run, '--agent', LOST);
    });

    test.each([
      ['--target', SECRETS.OPENAI_API_KEY],
      ['--target', `${SECRETS.OPENAI_API_KEY}!`],
      ['--agent', `./${SECRETS.SIGNING_SECRET}.py`],
    ])('a target named like a secret, and an unknown one: %s %s', async (...args) => {
      await expectNoLeak(...run, ...args);
    });
  });
});

const OTHER_COMMANDS: readonly (readonly string[])[] = [
  ['grade'],
  ['validate', '--strict'],
  ['show', '--json'],
  ['run', 'nothing', SECRETS.SIGNING_SECRET],
  ['grade', '--reporter', 'json'],
  ['merge', 'latest'],
  ['merge', 'latest', '--reporter', 'json'],
  ['run', '--list'],
  ['validate', '--json'],
  ['show'],
  ['grade', SECRETS.SIGNING_SECRET],
  [SECRETS.SIGNING_SECRET],
];

test.each(effort({ short: OTHER_COMMANDS.slice(0, 4), long: OTHER_COMMANDS }))(
  'no secret is shown by: %s %s',
  async (...args) => {
    await expectNoLeak(...args.filter((word) => word !== undefined));
  },
);

test("a judge's answer that repeats a secret is not cached", async () => {
  const judge = await startModelServer(({ text }) => {
    const said = text.includes('quiet') ? 'nothing' : SECRETS.SIGNING_SECRET;
    return { text: JSON.stringify({ reasoning: said, evidence: [], hits: [said], misses: [], score: 1 }) };
  });
  const judged = createProject({
    'a.eval.yaml': JSON.stringify({
      evalcases: ['quiet', 'loud'].map((id) => ({
        id,
        input: id,
        expected_outcome: id,
        evaluators: [{ name: 'judged', type: 'llm_judge' }],
      })),
    }),
    'agent.mjs': 'export const agent = (input) => input + process.env.SIGNING_SECRET.slice(0, 4);',
    'assay.config.yaml':
      'agent: ./agent.mjs\njudge: { provider: openai, model: judge-1, api_key: "${{ OPENAI_API_KEY }}" }',
  });
  try {
    const result = await runCli(['run'], {
      cwd: judged.path,
      env: { ...env, OPENAI_API_KEY: 'sk-plain-12345', OPENAI_BASE_URL: `${judge.url}/v1` },
    });
    expect(result).toMatchObject({ exitCode: 0 });
    const cache = join(judged.path, '.assay', 'cache', 'judge');
    const kept = readdirSync(cache).map((name) => readFileSync(join(cache, name), 'utf8'));
    expect(kept).toHaveLength(1);
    expect(kept.flatMap(leaksIn)).toEqual([]);
  } finally {
    await judge.close();
    judged.remove();
  }
});

test('a run with secrets in its names can be resumed', async () => {
  await expectNoLeak('run', '--target', SECRETS.OPENAI_API_KEY);
  const { stdout } = await runCli(['run', '--target', SECRETS.OPENAI_API_KEY, '--resume'], {
    cwd: project.path,
    env,
  });
  expect(stdout).toContain(`${CASES.length} of ${CASES.length} results come from the earlier run`);
});

test('a password in the URL of a model or a health check', async () => {
  const lost = LOST.slice(0, -1);
  const other = createProject({
    'steps.test.json': '[{"id": "a", "input": "hi", "assert": {"output.equals": "x"}}]',
    'assay.config.yaml': JSON.stringify({
      targets: [
        { name: 'model', provider: 'openai-compatible', base_url: `${lost}/v1`, model: 'm', api_key: 'k' },
        { name: 'endpoint', url: 'http://127.0.0.1:1', healthcheck: lost },
      ],
    }),
  });
  try {
    for (const target of ['model', 'endpoint']) {
      const { stdout, stderr } = await runCli(['run', '--target', target, '--retry', '0'], {
        cwd: other.path,
      });
      expect(stdout + stderr).toContain('[redacted]');
      expect(leaksIn(stdout + stderr)).toEqual([]);
    }
  } finally {
    other.remove();
  }
});

test('what the config sends is secret when a server sends it back', async () => {
  const echo = createServer((request, response) => {
    const text = `${JSON.stringify(request.headers)} ${request.url}`;
    const isModel = request.url!.includes('/chat/completions');
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: text };
    response.end(JSON.stringify(isModel ? { choices: [{ index: 0, message }] } : { output: text }));
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const headers = {
    Authorization: 'Bearer sent-1-header',
    'X-Api-Key': '${{ SERVICE }}',
    Cookie: 'sid=sent-3-cookie; theme=dark',
  };
  const other = createProject({
    'sent-6-name.test.json': '[{"id": "a", "input": "hi", "assert": {"output.equals": "x"}}]',
    'assay.config.yaml': JSON.stringify({
      targets: [
        { name: 'endpoint', url: `${url}/?access_token=sent-4-parameter`, headers },
        {
          name: 'model',
          provider: 'openai-compatible',
          base_url: `${url}/v1`,
          model: 'm',
          api_key: 'sent-5-literal',
        },
      ],
    }),
  });
  const own = { SERVICE: 'sent-2-variable', GITHUB_PAT: 'sent-6-name' };
  try {
    for (const target of [['endpoint'], ['model', '--cassettes', 'record']]) {
      const args = [
        'run',
        '--target',
        ...target,
        '--retry',
        '0',
        '--reporter',
        'junit=o.xml',
        '--reporter',
        'terminal',
      ];
      const { stdout, stderr } = await runCli(args, { cwd: other.path, env: own });
      expect(stdout + stderr).toContain('[redacted]');
      expect(stdout + stderr).not.toContain('sent-');
    }
    for (const name of readdirSync(other.path, { recursive: true, withFileTypes: true }))
      if (name.isFile() && name.name !== 'assay.config.yaml')
        expect(readFileSync(join(name.parentPath, name.name), 'utf8')).not.toContain('sent-');
  } finally {
    other.remove();
    echo.close();
  }
});

test('no part of a secret is left where a line or an answer is shortened', async () => {
  const key = 'shortened-0123456789-'.repeat(3);
  const endpoint = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(`${'-'.repeat(160)}${key}${'-'.repeat(160)}`);
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  const other = createProject({
    'a.test.yaml': 'input: hi\nassert: { output.includes: x }\n',
    'assay.config.yaml': `targets: [{ name: default, url: "${url}/?api_key=first-key&token=${key}" }]\n`,
  });
  try {
    const { stdout, stderr } = await runCli(['run', '--reporter=json=o.json', '--reporter=terminal'], {
      cwd: other.path,
    });
    expect(stdout + stderr).toContain('…');
    expect(stdout + stderr).not.toContain('shortened');
    for (const name of readdirSync(other.path, { recursive: true, withFileTypes: true }))
      if (name.isFile() && name.name !== 'assay.config.yaml')
        expect(readFileSync(join(name.parentPath, name.name), 'utf8')).not.toContain('shortened');
  } finally {
    other.remove();
    endpoint.close();
  }
});
