import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { parseCassette } from '../../src/evidence/cassettes/parse-cassette.ts';
import { effort } from '../effort.ts';
import { createTapedProject, FETCH_AGENT, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

const TESTS = 40;
const FILES = {
  'assay.config.yaml': 'agent: ./agent.mjs\n',
  'agent.mjs': FETCH_AGENT,
  'many.eval.yaml': `tests:\n${Array.from({ length: TESTS }, (_, index) => `  - { id: t${index}, input: Weather ${index}?, assert: [{ type: contains, value: "21 degrees" }] }\n`).join('')}`,
};

interface Recorded {
  readonly test: string;
  readonly repeat: number;
}

/** The attempts that the newest run has recorded: whole lines of its journal. */
function journal(path: string): readonly Recorded[] {
  const runs = join(path, '.assay', 'runs');
  const newest = readdirSync(runs).sort().at(-1);
  const file = join(runs, newest ?? '', 'results.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    const { test: id, repeat } = JSON.parse(line) as Partial<Recorded>;
    return id === undefined || repeat === undefined ? [] : [{ test: id, repeat }];
  });
}

/** Waits until a run that was not there before has recorded something, and a moment more. */
async function whenRecorded(path: string, before: readonly string[]): Promise<void> {
  const isNew = (): boolean => !before.includes(runsIn(path).at(-1) ?? before[0] ?? '');
  for (let look = 0; look < 3000 && !(isNew() && journal(path).length > 0); look++) await sleep(5);
  await sleep(Math.random() * 100);
}

function runsIn(path: string): readonly string[] {
  return readdirSync(join(path, '.assay', 'runs')).sort();
}

test(
  'a recording that is killed leaves no incomplete cassette and loses none',
  { timeout: 600_000 },
  async () => {
    project = await createTapedProject(FILES);
    const first = await project.run(['run', '--cassettes', 'record', '--repeats', '2']);
    expect(first.exitCode, first.stderr).toBe(0);
    let killed = 0;
    let seen = 0;
    for (let round = 0; killed < effort({ short: 4, long: 50 }) && round < 200; round++) {
      const before = runsIn(project.path);
      const dead = project.run(['run', '--cassettes', 'record', '--repeats', '2'], {}, (child) => {
        // Every other one dies at any time, the rest when something was recorded.
        if (round % 2 === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 1000);
        else void whenRecorded(project.path, before).then(() => child.kill('SIGKILL'));
      });
      if ((await dead).exitCode === null) killed++;
      const kept = Object.entries(project.cassettes());
      expect(kept).toHaveLength(TESTS);
      const repeats = new Map(
        kept.map(([file, text]) => [file, parseCassette(text).repeats.map(({ repeat }) => repeat)]),
      );
      const attempts = journal(project.path);
      seen += attempts.length;
      for (const { test: id, repeat } of attempts)
        expect(repeats.get(`many.eval.yaml/${id}@default.json`)).toContain(repeat);
    }
    expect(killed).toBeGreaterThan(0);
    expect(seen).toBeGreaterThan(0);
    const resumed = await project.run(['run', '--cassettes', 'record', '--repeats', '2', '--resume']);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    await project.server.close();
    const replayed = await project.run(['run', '--cassettes', 'replay', '--repeats', '2']);
    expect(replayed.exitCode, replayed.stdout).toBe(0);
  },
);

test('eight workers replay the same verdicts again and again', { timeout: 600_000 }, async () => {
  project = await createTapedProject(
    {
      ...FILES,
      // Every third answer is wrong, so that there is something to get right.
      'many.eval.yaml': FILES['many.eval.yaml'].replaceAll('21 degrees', 'answer'),
    },
    ({ body, index }) => {
      const { messages } = body as { readonly messages: readonly { readonly role: string }[] };
      if (messages.at(-1)!.role !== 'tool')
        return { toolCalls: [{ name: 'weather', args: '{}', id: `call_${index}` }] };
      return { text: index % 3 === 0 ? 'no idea' : 'answer', delayMs: index % 5 };
    },
  );
  const repeats = effort({ short: '3', long: '25' });
  const verdicts = (file: string): string => {
    const { results } = JSON.parse(project.read(file)) as {
      readonly results: readonly {
        readonly id: string;
        readonly verdict: string;
        readonly score?: number;
        readonly steps: readonly { readonly output: string }[];
      }[];
    };
    return JSON.stringify(
      results
        .map(({ id, verdict, score, steps }) => ({
          id,
          verdict,
          score,
          outputs: steps.map(({ output }) => output),
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  };
  const args = ['--repeats', repeats, '--workers', '8', '--reporter', 'json=out.json'];
  const recorded = await project.run(['run', '--cassettes', 'record', ...args]);
  expect(recorded.exitCode, recorded.stderr).toBe(1);
  const expected = verdicts('out.json');
  expect(expected).toContain('"failed"');
  await project.server.close();
  for (let round = 0; round < effort({ short: 3, long: 20 }); round++) {
    const replayed = await project.run(['run', '--cassettes', 'replay', ...args]);
    expect(replayed.exitCode, replayed.stderr).toBe(1);
    expect(verdicts('out.json')).toBe(expected);
  }
});
