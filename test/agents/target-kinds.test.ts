import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AgentSetupError } from '../../src/agents/agent-setup-error.ts';
import { AgentError } from '../../src/agents/contract.ts';
import { TARGET_KINDS } from '../../src/agents/kinds/registry.ts';
import type { TargetConfig } from '../../src/suites/config/config.ts';
import { readTarget } from '../../src/suites/config/read-target.ts';
import { createTargetAgent } from '../../src/suites/config/target-agent.ts';
import { checkTarget } from '../../src/suites/config/target-kind.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { JsonObject } from '../../src/base/model/json.ts';
import { NOWHERE, Reader } from '../../src/base/schema/reader.ts';
import { effort } from '../effort.ts';
import { contractSuite, requestOf, type Ability, type AgentKind } from './contract-suite.ts';
import { startTestAgent, type TestAgent } from './test-agent.ts';

/** What coding agents print has no place for a memory, and what they read is UTF-8. */
const CODING: Partial<AgentKind> = {
  hasProcess: true,
  crashes: 1,
  cannot: ['memory', 'any text', 'number'],
  errors: {},
};

/**
 * The examples of every kind keep the contract. A kind that is not named here must keep all of it, as an agent that gets the
 * whole request does; the others say what they cannot do, and how their errors read.
 */
const TRAITS: Readonly<Record<string, Partial<AgentKind>>> = {
  'function file': {
    can: ['text', 'print', 'bigint', 'late'],
    errors: {
      crash: { kind: 'agent', message: /^the agent threw TypeError: boom\n.*agent\.ts:\d+/ },
      // It may not be certain whose doing it is: then its test runs again, alone.
      exit: { message: /^the (?:process of the )?agent exited with code 3/ },
      garbage: { kind: 'contract', message: /^`memory\.self` of the agent's reply contains itself/ },
      unencodable: { kind: 'contract', message: /^`memory\.list\[0\]` of the agent's reply is a Set/ },
      flood: { kind: 'limit', message: /more than 10 MB/ },
    },
  },
  'python file': {
    hasProcess: true,
    can: ['text', 'print', 'bigint', 'grandchild', 'stubborn'],
    errors: {
      crash: { kind: 'agent', message: /^the agent exited with code 7 in the middle of a step$/ },
      exit: { kind: 'agent', message: /^the agent called sys\.exit\(3\)$/ },
      kill: { kind: 'agent', message: /^the agent was killed by SIGSEGV in the middle of a step$/ },
      garbage: { kind: 'contract', message: /^the agent's reply cannot be read/ },
      unencodable: {
        kind: 'contract',
        message: /^memory\.list\[0\] of the agent's reply is a set, which JSON cannot represent/,
      },
      flood: { kind: 'limit', message: /more than 10 MB/ },
    },
  },
  'command line': {
    hasProcess: true,
    can: ['text', 'print', 'bigint', 'unread', 'grandchild', 'stubborn'],
    errors: {
      crash: { kind: 'agent', message: /^the agent exited with code 1:\nTraceback[^]*ValueError: boom$/ },
      exit: { kind: 'agent', message: /^the agent exited with code 3:\nfirst\nlast words$/ },
      kill: { kind: 'agent', message: /^the agent was killed by SIGKILL and printed nothing$/ },
      flood: { kind: 'limit', message: /more than 10 MB/ },
    },
  },
  command: {
    hasProcess: true,
    crashes: 1,
    errors: { crash: { kind: 'agent', message: /ValueError: boom$/ } },
  },
  template: {
    hasProcess: true,
    crashes: 1,
    can: ['text', 'grandchild'],
    // It is sent an argument, which has no place for a memory and cannot be long.
    cannot: ['memory', 'any text', 'long text'],
    errors: {
      crash: { kind: 'agent', message: /^the command exited with code 1:\nTraceback[^]*ValueError: boom$/ },
      exit: { kind: 'agent', message: /^the command exited with code 3:\nfirst\nlast words$/ },
    },
  },
  address: {
    can: ['text', 'bigint', 'unread'],
    errors: {
      crash: {
        kind: 'infrastructure',
        message:
          /^http:\/\/127\.0\.0\.1:\d+ (?:accepted the connection and closed it without an answer|reset the connection)/,
      },
      exit: { kind: 'infrastructure', message: /\/agent answered 500 Internal Server Error: it hurts$/ },
      garbage: { kind: 'contract', message: /^the response is not JSON \(.*\): \{"output": NaN\}$/ },
      flood: { kind: 'limit', message: /longer than 10 MB/ },
    },
  },
  url: {
    can: ['text'],
    errors: {
      crash: { kind: 'infrastructure', message: /closed it without an answer|reset the connection/ },
    },
  },
  chat: {
    // A model returns text and calls of tools, and has its messages for a memory.
    cannot: ['memory', 'tools', 'number'],
    errors: {
      crash: { kind: 'infrastructure', message: /./ },
      exit: { kind: 'infrastructure', message: /500/ },
    },
  },
  'claude-code': {
    ...CODING,
    can: ['print', 'grandchild'],
    errors: {
      crash: { kind: 'agent', message: /^claude exited with code 1:\nTraceback[^]*ValueError: boom$/ },
      exit: { kind: 'agent', message: /^claude exited with code 3:\nfirst\nlast words$/ },
      kill: { kind: 'agent', message: /^claude was killed by SIGKILL and said nothing$/ },
      flood: { kind: 'limit', message: /more than 10 MB/ },
    },
  },
  // They are started and read by the same code.
  codex: { ...CODING, cannot: [...CODING.cannot!, 'long text'] },
  'gemini-cli': { ...CODING, cannot: [...CODING.cannot!, 'long text'] },
  opencode: { ...CODING, cannot: [...CODING.cannot!, 'long text'] },
  acp: {
    ...CODING,
    can: ['print', 'grandchild', 'stubborn'],
    cannot: ['memory', 'number'],
    errors: {
      crash: { kind: 'agent', message: /^agent exited with code 1:\nTraceback[^]*ValueError: boom$/ },
      exit: { kind: 'agent', message: /^agent exited with code 3:\nfirst\nlast words$/ },
      kill: { kind: 'agent', message: /^agent was killed by SIGKILL$/ },
      flood: { kind: 'limit', message: /more than 10 MB/ },
    },
  },
  // The same code runs it.
  copilot: { ...CODING, cannot: ['memory', 'number', 'long text'] },
  mock: { cannot: ['input', 'memory', 'tools', 'number'] },
};

/** Of a kind that says nothing of itself. */
const ANY_KIND: Partial<AgentKind> = {
  crashes: 1,
  errors: { crash: { message: /./ }, exit: { message: /./ } },
};

/** A batch is one call for a whole suite: it gets no input. */
const BATCH: readonly Ability[] = ['input', 'memory', 'tools', 'number'];

const benches: TestAgent[] = [];
afterAll(async () => {
  await Promise.all(benches.map((bench) => bench.close()));
});

for (const kind of TARGET_KINDS) {
  const traits = TRAITS[kind.name] ?? ANY_KIND;
  for (const example of kind.examples) {
    const cannot = example['provider_batching'] === true ? BATCH : (traits.cannot ?? []);
    contractSuite({
      name: `${kind.name}: ${JSON.stringify(example)}`,
      hasProcess: false,
      crashes: effort({ short: 4, long: 50 }),
      ...traits,
      cannot,
      can: cannot === BATCH ? [] : (traits.can ?? []),
      errors: cannot === BATCH ? {} : (traits.errors ?? {}),
      async create(folder, env = {}) {
        const bench = await startTestAgent(folder);
        benches.push(bench);
        // Dozens of them are started here, and looking for installed packages is most of the time that takes.
        const quickPython = join(folder, 'python');
        writeFileSync(quickPython, '#!/bin/sh\nexec python3 -S "$@"\n', { mode: 0o755 });
        const place = { folder, env: { ...process.env, ASSAY_PYTHON: quickPython, ...env } };
        return createTargetAgent(bench.place(example) as unknown as TargetConfig, place);
      },
    });
  }
}

describe.each(TARGET_KINDS)('$name', (kind) => {
  test.each(kind.examples)('%j is a target of this kind, and of nothing else', (example) => {
    expect(findings(example)).toEqual([]);
    expect(readTarget(example as unknown as TargetConfig)?.kind.name).toBe(kind.name);
  });

  test('reports what is wrong with a target', () => {
    const [{ name: _, ...nameless }] = kind.examples as readonly [JsonObject];
    expect(findings(nameless)).toMatchObject([{ severity: 'error', code: 'missing_name' }]);
    expect(findings({ name: 'x', ...nameless, workerz: 3 })).toMatchObject([
      { severity: 'error', code: 'unknown_field', hint: 'did you mean `workers`?' },
    ]);
    expect(findings({ name: 'x', ...nameless, workers: 0 })).toMatchObject([
      { severity: 'error', code: 'range' },
    ]);
    expect(findings({ name: 'x', ...nameless, workers: 3, judge_target: 'judge' })).toEqual([]);
  });

  test.each(kind.examples)(
    '%j that points nowhere is an error of the agent or of its setup',
    async (example) => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-nowhere-'));
      // Nobody listens at port 1.
      const lost = JSON.parse(
        JSON.stringify(example).replace('127.0.0.1:8000', '127.0.0.1:1'),
      ) as TargetConfig;
      try {
        const error: unknown = await sendOnce({ ...lost, workers: 3 }, folder).catch(
          (thrown: unknown) => thrown,
        );
        if (kind.name === 'mock') return expect(error).toBe(3);
        expect(error instanceof AgentError || error instanceof AgentSetupError).toBe(true);
        expect((error as Error).message).not.toBe('');
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

test('every kind has a unique name', () => {
  const names = TARGET_KINDS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(expect.arrayContaining(Object.keys(TRAITS)));
});

function findings(target: JsonObject): readonly Finding[] {
  const reader = new Reader(NOWHERE);
  checkTarget(target, reader);
  return reader.findings;
}

/** How many sessions may be open at once, after one answer. */
async function sendOnce(target: TargetConfig, folder: string): Promise<number> {
  const agent = await createTargetAgent(target, { folder, env: process.env });
  const file = join(folder, 'suite.yaml');
  try {
    const session = await agent.open({ id: 'a test', file });
    await session.send(requestOf('hello', {}, file), new AbortController().signal);
    return agent.workers;
  } finally {
    await agent.close();
  }
}
