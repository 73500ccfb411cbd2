import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { TargetConfig } from '../../../src/suites/config/config.ts';
import { checkTargetSetup } from '../../../src/suites/config/check-target-setup.ts';
import { fillTarget } from '../../../src/suites/config/read-target.ts';
import { createTargetAgent } from '../../../src/suites/config/target-agent.ts';
import { checkTarget } from '../../../src/suites/config/target-kind.ts';
import type { Json } from '../../../src/base/model/json.ts';
import { azureAddress } from '../../../src/agents/llm/azure-address.ts';
import { createModel } from '../../../src/agents/llm/create-model.ts';
import type { ModelConfig } from '../../../src/agents/llm/model-config.ts';
import { NOWHERE, Reader } from '../../../src/base/schema/reader.ts';
import { createProject, runCli } from '../../project.ts';
import { useModelServers } from '../../servers/use-model-servers.ts';

/** How AgentV 2.x resolves the targets of `targets.yaml`, case by case: the names they are written with, and what is left open. */

const start = useModelServers();

type Authored = Readonly<Record<string, Json>>;
type Variables = Readonly<Record<string, string>>;

/** What is wrong with a target as it is written: `code path`. */
function findings(target: Authored): readonly string[] {
  const reader = new Reader(NOWHERE);
  checkTarget(target, reader);
  return reader.findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

/** A target that is used, with its variables. */
function resolve(target: Authored, env: Variables = {}) {
  const { kind, target: filled, unset } = fillTarget(target as unknown as TargetConfig, env)!;
  return { kind: kind.name, ...(filled as TargetConfig), unset };
}

/** The model of a target that is used. */
function modelOf(target: Authored, env: Variables = {}): ModelConfig {
  const { kind: _kind, unset: _unset, ...filled } = resolve(target, env);
  return createModel(filled as unknown as ModelConfig, env).config;
}

async function setup(target: Authored, env: Variables) {
  const place = { file: 'targets.yaml', line: 2, column: 5 };
  const setting = { env, folder: '/', suite: '/a.eval.yaml', place };
  const found = await checkTargetSetup(target as unknown as TargetConfig, setting);
  return found.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
}

const AZURE = { name: 'judge', provider: 'azure', endpoint: '${{ WHERE }}', api_key: '${{ SECRET }}' };
const ENV = { WHERE: 'https://shop.openai.azure.com', SECRET: 'k-1', MODEL: 'gpt-shop' };

describe('variables', () => {
  test('a name without ${{ }} is not used as a variable', () => {
    const bare = { name: 'a', provider: 'azure', endpoint: 'SHOP_ENDPOINT', api_key: 'SHOP_KEY', model: 'm' };
    expect(findings(bare)).toEqual(['error bare_variable api_key', 'error bare_variable endpoint']);
    expect(findings({ name: 'a', provider: 'gemini', apiKey: 'GOOGLE_KEY' })).toEqual([
      'error bare_variable apiKey',
    ]);
    // A local server takes any key, and what a variable holds is nobody's spelling.
    const local = { provider: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1', api_key: 'NOT_NEEDED' };
    expect(findings({ name: 'a', model: 'm', ...local })).toEqual([]);
    expect(modelOf({ ...AZURE, model: 'm' }, { ...ENV, SECRET: 'ALL_CAPITALS' })).toMatchObject({
      api_key: 'ALL_CAPITALS',
    });
  });

  test.each([['${{ MODEL }}'], ['${{  MODEL   }}'], ['${{MODEL}}'], ['  ${{ MODEL }}']])(
    'are filled in: %j',
    (model) => {
      const resolved = modelOf({ ...AZURE, model: model.trim() }, ENV);
      expect(resolved).toMatchObject({ model: 'gpt-shop', api_key: 'k-1', endpoint: ENV.WHERE });
    },
  );

  test.each([
    ['WHERE', { ...AZURE, model: 'm' }],
    ['SECRET', { ...AZURE, model: 'm' }],
    ['MODEL', { ...AZURE, model: '${{ MODEL }}' }],
    ['SECRET', { name: 'g', provider: 'gemini', api_key: '${{ SECRET }}' }],
    ['CMD', { name: 'c', provider: 'cli', command_template: '${{ CMD }}' }],
  ])('an unset variable that a target needs is named: %s', (missing, target) => {
    const { [missing]: _, ...env } = ENV as Record<string, string>;
    expect(() => resolve(target, env)).toThrow(missing);
    expect(() => resolve(target, { ...env, [missing]: '' })).toThrow(missing);
  });

  test('an optional setting with an unset variable is left out and reported', async () => {
    const version = { ...AZURE, model: 'm', version: '${{ API }}' };
    expect(azureAddress(modelOf(version, ENV)).apiVersion).toBe('2024-12-01-preview');
    expect(azureAddress(modelOf(version, { ...ENV, API: '  ' })).apiVersion).toBe('2024-12-01-preview');
    expect(azureAddress(modelOf(version, { ...ENV, API: '2024-10-21' })).apiVersion).toBe('2024-10-21');
    expect(await setup(version, ENV)).toEqual([
      'warning unset_variable the variable API is not set, so `api_version` of the target "judge" is the default version',
    ]);
    const gemini = { name: 'g', provider: 'gemini', api_key: 'k', model: '${{ NAME }}' };
    expect(modelOf(gemini).model).toBe('gemini-2.5-flash');
    expect(await setup(gemini, {})).toEqual([expect.stringContaining('gemini-2.5-flash')]);
    // Only a part of a text: what would be left is another text.
    expect(() =>
      resolve({ name: 'c', provider: 'cli', command_template: 'x {PROMPT}', cwd: '${{ A }}/b' }),
    ).toThrow('A');
    // These have no default.
    expect(() => resolve({ name: 'a', provider: 'anthropic', api_key: 'k', model: '${{ NAME }}' })).toThrow(
      'NAME',
    );
  });
});

test('a command line that passes nothing of the test is a warning', () => {
  const check = (command_template: string, more: Authored = {}) =>
    findings({ name: 'a', provider: 'cli', command_template, ...more });
  for (const line of ['./agent > {OUTPUT_FILE}', 'echo {ATTEMPT}', 'echo ${PROMPT}', "echo '$PROMPT'"])
    expect(check(line)).toEqual(['warning no_prompt command_template']);
  for (const line of [
    './agent {PROMPT}',
    'sh -c \'echo "$ASSAY_PROMPT"\'',
    './agent {EVAL_ID}',
    'cat {FILES}',
    '${{ LINE }}',
  ])
    expect(check(line)).toEqual([]);
  expect(check('./agent {OUTPUT_FILE}', { provider_batching: true })).toEqual([]);
});

describe('azure', () => {
  const address = (settings: Authored) => azureAddress(modelOf({ ...AZURE, model: 'm', ...settings }, ENV));

  test('has a version, written in any of the usual ways', () => {
    expect(address({}).apiVersion).toBe('2024-12-01-preview');
    for (const version of ['2024-10-21', 'api-version=2024-10-21', 'API_VERSION = 2024-10-21'])
      expect(address({ version }).apiVersion).toBe('2024-10-21');
    expect(address({ version: 'api-version=' }).apiVersion).toBe('2024-12-01-preview');
    expect(address({ api_version: 'v1' }).apiVersion).toBe('v1');
  });

  test('of two names for one setting, AgentV and Assay use the same', () => {
    const both = { version: '2024-10-21', api_version: '2023-05-15' };
    expect(address(both).apiVersion).toBe('2024-10-21');
    expect(findings({ ...AZURE, model: 'm', ...both })).toEqual(['warning alias_ignored api_version']);
    const names = { model: 'm', deployment: 'd', variant: 'v' };
    expect(modelOf({ ...AZURE, ...names }, ENV).model).toBe('d');
    for (const provider of ['anthropic', 'gemini']) {
      const target = { name: 'a', provider, api_key: 'k' };
      const { model: _, ...others } = names;
      expect(modelOf({ ...target, ...names }).model).toBe('m');
      expect(modelOf({ ...target, ...others }).model).toBe('d');
      expect(modelOf({ ...target, variant: 'v' }).model).toBe('v');
      expect(findings({ ...target, ...others })).toEqual(['warning alias_ignored variant']);
    }
  });

  test.each([
    ['https://shop.openai.azure.com', { baseURL: 'https://shop.openai.azure.com/openai' }],
    ['https://shop.openai.azure.com//', { baseURL: 'https://shop.openai.azure.com/openai' }],
    ['https://gate.example/ai/azure/', { baseURL: 'https://gate.example/ai/azure/openai' }],
    ['https://gate.example/openai/', { baseURL: 'https://gate.example/openai' }],
    ['shop', { resourceName: 'shop' }],
    ['  shop-eu-2 ', { resourceName: 'shop-eu-2' }],
  ])('endpoint %j', (endpoint, expected) => {
    for (const key of ['endpoint', 'resource', 'resourceName']) {
      const { endpoint: _, ...others } = AZURE;
      const model = modelOf({ ...others, model: 'm', [key]: endpoint }, ENV);
      expect(azureAddress(model)).toMatchObject({ ...expected, useDeploymentBasedUrls: true, api: 'chat' });
    }
  });

  test.each(['shop.openai.azure.com', 'evil.example/', 'a b', 'ftp://x', 'https://'])(
    'an endpoint that is neither a URL nor a resource name is an error: %j',
    (endpoint) => {
      expect(() => modelOf({ ...AZURE, model: 'm', endpoint }, ENV)).toThrow('`endpoint` must be');
    },
  );

  test('a whole URL from the portal is not accepted as an endpoint', () => {
    const whole =
      'https://shop.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21';
    for (const endpoint of [whole, whole.split('?')[0]!, 'https://shop.openai.azure.com/?a=b'])
      expect(() => modelOf({ ...AZURE, model: 'm', endpoint }, ENV)).toThrow('`deployment` and `version`');
  });

  test('`api: responses` uses the v1 API', () => {
    expect(address({ api: 'responses' })).toEqual({
      baseURL: 'https://shop.openai.azure.com/openai',
      apiVersion: undefined,
      useDeploymentBasedUrls: false,
      api: 'responses',
    });
  });

  test('sends what the portal documents for deployments', async () => {
    const server = await start({ text: 'Good day' });
    const target = {
      ...AZURE,
      provider: 'Azure-OpenAI',
      deploymentName: '${{ MODEL }}',
      version: 'api-version=2024-08-01-preview',
      temperature: 0.3,
      maxTokens: 77,
    };
    const agent = await createTargetAgent(target as never, {
      folder: '/',
      env: { ...ENV, WHERE: `${server.url}/gate/` },
    });
    const session = await agent.open({ id: 'a', file: 'a' });
    const input_messages = [{ role: 'user' as const, content: 'Hi' }];
    const asked = {
      input: 'Hi',
      input_messages,
      memory: {},
      settings: {},
      test: { id: 'a', file: 'a' },
      step: 1,
      attempt: 1,
      messages: [],
      conversation_id: 'c1',
    };
    const { reply } = await session.send(asked, AbortSignal.timeout(20_000));
    expect(reply).toMatchObject({ output: 'Good day' });
    const [request] = server.requests;
    expect(request!.path).toBe(
      '/gate/openai/deployments/gpt-shop/chat/completions?api-version=2024-08-01-preview',
    );
    expect(request!.headers['api-key']).toBe('k-1');
    expect(request!.body).toEqual({
      model: 'gpt-shop',
      max_tokens: 77,
      temperature: 0.3,
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  test('the deployment is called, even if `model` names something else', () => {
    const both = { ...AZURE, deployment: 'shop-gpt', model: 'gpt-4o' };
    expect(modelOf(both, ENV).model).toBe('shop-gpt');
    expect(findings(both)).toEqual(['warning alias_ignored model']);
  });
});

describe('other models', () => {
  test.each([
    [{ provider: 'gemini' }, 'gemini-2.5-flash'],
    [{ provider: 'google' }, 'gemini-2.5-flash'],
    [{ provider: 'gemini', model: '${{ MODEL }}' }, 'gpt-shop'],
    [{ provider: 'google-gemini', model: 'gemini-3-pro' }, 'gemini-3-pro'],
    [{ provider: 'GEMINI', variant: 'gemini-nano' }, 'gemini-nano'],
    [{ provider: 'google', deployment: 'gemini-x' }, 'gemini-x'],
    [{ provider: 'anthropic', variant: 'claude-y' }, 'claude-y'],
  ])('%j', (target, model) => {
    const authored = { name: 'm', api_key: '${{ SECRET }}', ...target };
    expect(findings(authored)).toEqual([]);
    expect(modelOf(authored, ENV)).toMatchObject({ model, api_key: 'k-1' });
  });

  test('every other provider needs a model name', () => {
    for (const provider of ['anthropic', 'openai', 'azure'])
      expect(findings({ name: 'm', provider, api_key: 'k' })).toEqual(['error missing_model model']);
  });

  test('gemini and anthropic get their settings', async () => {
    const server = await start({ text: 'Hello' });
    const env = { ...ENV, ANTHROPIC_BASE_URL: `${server.url}/v1` };
    const asked = {
      input: 'Hi',
      memory: {},
      settings: {},
      test: { id: 'a', file: 'a' },
      step: 1,
      attempt: 1,
      messages: [],
      conversation_id: 'c1',
    };
    const send = async (target: Authored) => {
      const agent = await createTargetAgent({ name: 'm', api_key: '${{ SECRET }}', ...target } as never, {
        folder: '/',
        env,
      });
      const session = await agent.open({ id: 'a', file: 'a' });
      const input_messages = [{ role: 'user' as const, content: 'Hi' }];
      await session.send({ ...asked, input_messages }, AbortSignal.timeout(20_000));
      return server.requests.at(-1)!;
    };
    const gemini = await send({
      provider: 'gemini',
      base_url: `${server.url}/v1beta`,
      maxTokens: 9,
      temperature: 0.5,
    });
    expect(gemini.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(gemini.headers['x-goog-api-key']).toBe('k-1');
    expect(gemini.body.generationConfig).toEqual({ maxOutputTokens: 9, temperature: 0.5 });
    const claude = await send({
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      thinkingBudget: 2048,
      max_output_tokens: 100,
    });
    expect(claude.headers['x-api-key']).toBe('k-1');
    expect(claude.body).toMatchObject({
      max_tokens: 2148,
      thinking: { type: 'enabled', budget_tokens: 2048 },
    });
  });

  test('a setting without effect is reported', () => {
    expect(findings({ name: 'm', provider: 'gemini', thinking_budget: 5, provider_batching: true })).toEqual([
      'warning without_effect provider_batching',
      'warning without_effect thinking_budget',
    ]);
    expect(findings({ name: 'm', provider: 'gemini', provider_batching: false })).toEqual([]);
  });
});

describe('both spellings', () => {
  const cli = { name: 'c', provider: 'cli' };

  test.each([
    [{ command_template: 'run {PROMPT}', timeoutSeconds: 60, files_format: '--file {path}' }],
    [{ commandTemplate: 'run {PROMPT}', filesFormat: '--file {path}', timeout_seconds: 60 }],
    [{ commandTemplate: 'run {PROMPT}', attachments_format: '--file {path}', timeoutSeconds: 60 }],
    [{ commandTemplate: 'run {PROMPT}', attachmentsFormat: '--file {path}', timeoutSeconds: 60 }],
  ])('of a command template: %j', (settings) => {
    expect(findings({ ...cli, ...settings })).toEqual([]);
    expect(resolve({ ...cli, ...settings })).toMatchObject({
      kind: 'template',
      command_template: 'run {PROMPT}',
      files_format: '--file {path}',
      timeout_seconds: 60,
    });
  });

  test('without a provider the command says what it is', () => {
    expect(resolve({ name: 'c', commandTemplate: 'run {PROMPT}' }).kind).toBe('template');
    expect(resolve({ name: 'c', provider: 'CLI', commandTemplate: 'run' }).kind).toBe('template');
  });

  test('of a batch', () => {
    expect(
      resolve({ ...cli, command_template: 'x {PROMPT}', providerBatching: true }).provider_batching,
    ).toBe(true);
  });

  test('of a health check', () => {
    const check = { type: 'command', commandTemplate: 'check.sh', timeoutSeconds: 5, cwd: '/app' };
    expect(findings({ ...cli, command_template: 'x {PROMPT}', healthcheck: check })).toEqual([]);
    expect(resolve({ ...cli, command_template: 'x {PROMPT}', healthcheck: check }).healthcheck).toEqual({
      type: 'command',
      command: 'check.sh',
      timeout_seconds: 5,
      cwd: '/app',
    });
    const http = { type: 'http', url: '${{ WHERE }}', timeout_seconds: 30 };
    expect(
      resolve({ ...cli, command_template: 'x {PROMPT}', healthcheck: http }, ENV).healthcheck,
    ).toMatchObject({
      url: ENV.WHERE,
    });
  });

  test.each([
    [{ command_template: 'snake {PROMPT}', commandTemplate: 'camel' }, 'commandTemplate'],
    [{ command_template: 'x {PROMPT}', timeout_seconds: 1, timeoutSeconds: 2 }, 'timeoutSeconds'],
    [
      { command_template: 'x {PROMPT}', files_format: '{path}', attachments_format: '{basename}' },
      'attachments_format',
    ],
  ])(
    'given together: the one with underscores counts, and the other is reported: %j',
    (settings, ignored) => {
      expect(findings({ ...cli, ...settings })).toEqual([`warning alias_ignored ${ignored}`]);
      expect(resolve({ ...cli, ...settings })).toMatchObject(
        Object.fromEntries(Object.entries(settings).filter(([key]) => key !== ignored)),
      );
    },
  );

  test.each([
    ['maxRetries', 'max_retries', 4],
    ['retryInitialDelayMs', 'retry_initial_delay_ms', 10],
    ['retryMaxDelayMs', 'retry_max_delay_ms', 20],
    ['retryBackoffFactor', 'retry_backoff_factor', 1.5],
    ['retryStatusCodes', 'retry_status_codes', [418]],
    ['maxTokens', 'max_tokens', 9],
    ['apiKey', 'api_key', 'other'],
  ])('of a model: %s', (written, name, value) => {
    const target = { name: 'g', provider: 'gemini', [written]: value };
    expect(findings(target)).toEqual([]);
    expect(resolve(target)).toMatchObject({ [name]: value });
  });

  test.each([
    'verbose',
    'cli_verbose',
    'cliVerbose',
    'keep_temp_files',
    'keepTempFiles',
    'keep_output_files',
    'keepOutputFiles',
  ])('%s is accepted and has no effect', (key) => {
    expect(findings({ ...cli, command_template: 'x {PROMPT}', [key]: true })).toEqual([
      `warning without_effect ${key}`,
    ]);
    expect(findings({ ...cli, command_template: 'x {PROMPT}', [key]: false })).toEqual([]);
  });

  test('keys inside data are not treated as aliases', () => {
    const headers = { apiKey: 'x', api_key: 'y' };
    const target = { name: 'g', provider: 'gemini', headers, provider_options: { google: { maxTokens: 1 } } };
    expect(resolve(target)).toMatchObject({ headers, provider_options: { google: { maxTokens: 1 } } });
  });
});

describe('what is refused', () => {
  test.each([
    [{ provider: 'cli', command_template: 'run {UNKNOWN}' }, 'error unknown_hole command_template'],
    [{ provider: 'cli', commandTemplate: 'run {UNKNOWN}' }, 'error unknown_hole commandTemplate'],
    [{ provider: 'cli' }, 'error missing_command command_template'],
    [
      { provider: 'cli', command_template: 'x {PROMPT}', healthcheck: { type: 'ping' } },
      'error healthcheck healthcheck',
    ],
    [
      { provider: 'cli', command_template: 'x {PROMPT}', healthcheck: { type: 'http' } },
      'error healthcheck healthcheck',
    ],
    [
      { provider: 'cli', command_template: 'x {PROMPT}', healthcheck: { type: 'command', cwd: '/app' } },
      'error healthcheck healthcheck',
    ],
    // The command of another provider would be run in its place.
    [{ provider: 'gemini', command_template: 'run {PROMPT}' }, 'error unknown_field command_template'],
    // Decisions: editors are not built in, and an unknown key may be a misspelled one.
    [{ provider: 'vscode', workspace_template: '${{ W }}' }, 'error unknown_provider provider'],
    [
      { provider: 'cli', command_template: 'x {PROMPT}', custom_property: 1 },
      'error unknown_field custom_property',
    ],
  ])('%j', (target, finding) => {
    expect(findings({ name: 't', ...target })).toEqual([finding]);
  });

  test('a target without a name', () => {
    expect(findings({ provider: 'cli', command_template: 'x {PROMPT}' })).toEqual([
      'error missing_name name',
    ]);
  });
});

test('coding agents are targets', () => {
  expect(findings({ name: 't', provider: 'codex', args: ['--profile', '${{ P }}'] })).toEqual([]);
});

describe('mock', () => {
  test('accepts settings from AgentV', () => {
    expect(
      findings({ name: 'm', provider: 'mock', response: 'x', delayMs: 5, delayMinMs: 1, delayMaxMs: 2 }),
    ).toEqual([]);
    expect(findings({ name: 'm', provider: 'mock', provider_batching: true })).toEqual([
      'warning without_effect provider_batching',
      'warning missing_response ',
    ]);
    expect(findings({ name: 'm', provider: 'mock', response: 'x', trace: [] })).toEqual([
      'warning ignored_field trace',
    ]);
  });
});

describe('the folder of a command', () => {
  const project = createProject({
    '.agentv/targets.yaml': `targets:
  - { name: blank, provider: cli, command_template: pwd, cwd: "\${{ BLANK }}" }
  - { name: unset, provider: cli, command_template: pwd, cwd: "\${{ NOT_SET_AT_ALL }}" }
  - { name: set, provider: cli, command_template: pwd, cwd: "\${{ FOLDER }}" }
  - { name: here, provider: cli, command_template: pwd, cwd: . }
  - { name: above, provider: cli, command_template: pwd, cwd: .. }
  - { name: checked, provider: cli, command_template: cat where, healthcheck: { type: command, command_template: pwd > where } }
  - { name: checked-unset, provider: cli, command_template: cat there, healthcheck: { type: command, command_template: pwd > there, cwd: "\${{ NOT_SET_AT_ALL }}" } }
`,
    'evals/deep/a.eval.yaml': `evalcases:
${['blank', 'unset', 'set', 'here', 'above', 'checked', 'checked-unset'].map((name) => `  - { id: ${name}, input: x, execution: { target: ${name} }, evaluators: [{ type: contains, value: / }] }\n`).join('')}`,
  });
  afterAll(project.remove);

  test("is the suite's folder if it is not given or its variable is unset, with a warning", async () => {
    const env = { BLANK: '', FOLDER: join(project.path, 'evals') };
    const { stdout, exitCode } = await runCli(['run', '--reporter', 'json'], { cwd: project.path, env });
    const report = JSON.parse(stdout) as {
      results: { test: string; steps: { output: string }[] }[];
      findings: { severity: string; code: string; message: string; file: string; line: number }[];
    };
    const folders = Object.fromEntries(
      report.results.map(({ test: id, steps }) => [
        id,
        steps[0]!.output.trim().replace(/^.*assay-project-\w+/, ''),
      ]),
    );
    expect(folders).toEqual({
      blank: '/evals/deep',
      unset: '/evals/deep',
      set: '/evals',
      here: '/evals/deep',
      above: '/evals',
      checked: '/evals/deep',
      'checked-unset': '/evals/deep',
    });
    expect(exitCode).toBe(0);
    const said = report.findings.filter(({ code }) => code === 'unset_variable');
    expect(said.map(({ file, line, message }) => [file, line, message])).toEqual([
      ['.agentv/targets.yaml', 2, expect.stringContaining('BLANK')],
      ['.agentv/targets.yaml', 3, expect.stringContaining("the suite's folder")],
      ['.agentv/targets.yaml', 8, expect.stringContaining('healthcheck.cwd')],
    ]);
  });
});

test('the config sets how often and after which errors a chat target is retried; the command line overrides it', async () => {
  const server = await start({ status: 429, message: 'slow down' });
  const strange = await start({ status: 418, message: 'teapot' });
  const target = (name: string, settings: string, url = server.url): string =>
    `  - { name: ${name}, provider: openai-compatible, model: ${name}, base_url: "${url}/v1", api_key: k, retry_initial_delay_ms: 1, ${settings} }\n`;
  const names = ['never', 'once', 'unlisted', 'listed'];
  const project = createProject({
    'targets.yaml': `targets:\n${target('never', 'max_retries: 0')}${target('once', 'maxRetries: 1')}${target('unlisted', 'max_retries: 3, retry_status_codes: [503]')}${target('listed', 'max_retries: 3, retryStatusCodes: [418]', strange.url)}`,
    'a.eval.yaml': `evalcases:\n${names.map((name) => `  - { id: ${name}, input: x, execution: { target: ${name} }, evaluators: [{ type: contains, value: x }] }\n`).join('')}`,
  });
  const count = () =>
    names.map(
      (name) => [...server.requests, ...strange.requests].filter(({ body }) => body.model === name).length,
    );
  try {
    await runCli(['run'], { cwd: project.path });
    expect(count()).toEqual([1, 2, 1, 4]);
    await runCli(['run', '--retry', '1'], { cwd: project.path });
    expect(count()).toEqual([3, 4, 2, 6]);
  } finally {
    project.remove();
  }
});
