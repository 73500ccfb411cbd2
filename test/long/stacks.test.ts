import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installGroup } from '../frameworks/install-group.ts';
import { runSuite, SUITES } from '../frameworks/run-suite.ts';
import { createWeatherScript } from '../frameworks/weather-script.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

/**
 * A folder for each stack: its packages with exact versions, a lock file, and `agent.ts`, which answers one question with
 * the tools of weather.mjs and returns what the stack returns. Nothing else knows its name. `expected.json` says which
 * verdicts differ, and why.
 */
const FOLDER = join(import.meta.dirname, '../frameworks/stacks');
const STACKS = readdirSync(FOLDER);

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(createWeatherScript());
});
afterAll(() => server.close());

function exceptionsOf(stack: string): Readonly<Record<string, string>> {
  const path = join(FOLDER, stack, 'expected.json');
  if (!existsSync(path)) return {};
  return (JSON.parse(readFileSync(path, 'utf8')) as { verdicts: Record<string, string> }).verdicts;
}

describe.each(STACKS)('%s', (stack) => {
  let agent: string;
  beforeAll(async () => {
    agent = join(await installGroup(`stacks/${stack}`), 'agent.ts');
  }, 300_000);

  test('true claims pass and false ones fail', async () => {
    const names = ['weather.test.yaml', 'weather-failing.test.yaml'];
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(SUITES, name), 'utf8')]));
    const args = [...names, '--agent', agent, '--workers', '1', '--timeout', '2m'];
    const { verdicts, printed } = await runSuite({ files, args, url: server.url });
    // It answers one question: it remembers nothing of those before.
    const { 'several turns': _, ...single } = verdicts;
    const kinds = Object.entries(single).map(([name, verdict]) => [name, verdict.split(':', 1)[0]]);
    expect(Object.fromEntries(kinds), printed).toEqual({
      'one turn': 'passed',
      'parallel calls': 'passed',
      'the map form': 'passed',
      'a forbidden tool': 'failed',
      'another argument': 'failed',
      'no tool at all': 'failed',
      'too slow a tool': 'failed',
      'a token too many': 'failed',
      'too expensive': 'failed',
      ...exceptionsOf(stack),
    });
  });
});
