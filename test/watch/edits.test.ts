import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, inject, test } from 'vitest';
import { randomFrom } from '../../scripts/random.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { effort } from '../effort.ts';
import { runCli } from '../project.ts';
import { RandomEdits, SAVES } from './random-edits.ts';
import { WatchedProject } from './watched-project.ts';

const AGENT = `
import { appendFileSync } from 'node:fs';
export function agent(input, memory) {
  appendFileSync(process.env.CALLS, input + '\\n');
  return { output: 'said ' + input, tools_used: [], memory: { ...memory, heard: input } };
}`;

const open: WatchedProject[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) await project.stop();
});

/**
 * Edits of step tests, JSON, eval files, datasets and sidecars, saved in every way. After each, the verdicts on the
 * screen and in a report are those that the edits call for, and from time to time those of a fresh run. Two projects at
 * once: a round waits more than it works.
 */
test(
  'after any edit of assertions, the verdicts are right and no agent was called',
  { timeout: 1_200_000 },
  () => {
    const edits = effort({ short: 6, long: 300 });
    return Promise.all([1, 2].map((number) => editAtRandom(inject('seed') * 2 + number, edits)));
  },
);

async function editAtRandom(seed: number, amount: number): Promise<void> {
  const random = randomFrom(seed);
  const edits = new RandomEdits(random);
  const project = new WatchedProject(
    { 'agent.mjs': AGENT, ...edits.texts() },
    { args: ['--reporter', 'terminal', '--reporter', 'json=out.json'] },
  );
  open.push(project);
  await project.run();
  const calls = project.called().length;
  let isOverlapped = false;
  for (let count = 1; count <= amount; count++) {
    const edit = edits.edit();
    const context = `seed ${seed}, edit ${count}: ${JSON.stringify(edit.texts)}`;
    const isBroken = !edit.isSilent && random.chance(0.1);
    if (isBroken) await breakFile(project, Object.keys(edit.texts)[0]!, random.chance(0.5));
    const [how, save] = random.pick(Object.entries(SAVES));
    for (const [name, text] of Object.entries(edit.texts)) save(join(project.path, name), text);
    if (edit.isSilent) {
      // The next edit comes while the files are read, or later.
      if (random.chance(0.5)) await sleep(400);
      isOverlapped = true;
      continue;
    }
    await project.run();
    // A run may see what is there between two writes. Then another one follows.
    const mayBeBetween = isOverlapped || isBroken || edit.isTorn || !['inPlace', 'atomic'].includes(how);
    isOverlapped = false;
    if (mayBeBetween) {
      while (!isAsWanted(project, edits)) await project.run();
      // One more may follow. The next edit must not come while it runs: five such edits in a row look like output of the agent.
      await project.settles();
    }
    expect(reported(project), context).toEqual(edits.verdicts());
    expect(lastSummary(project.shown), context).toEqual(counted(edits));
    expect(project.called().length, context).toBe(calls);
    if (count % 25 === 0) expect(await fresh(project), context).toEqual(edits.verdicts());
  }
  expect(await fresh(project)).toEqual(edits.verdicts());
  expect(project.called().length).toBe(calls);
}

async function breakFile(project: WatchedProject, name: string, isSeen: boolean): Promise<void> {
  const text = readFileSync(join(project.path, name), 'utf8');
  project.write(name, `${text}\n- {[: "`);
  if (isSeen) await project.shows('nothing runs until these errors are fixed');
  if (isSeen) await project.run();
}

function isAsWanted(project: WatchedProject, edits: RandomEdits): boolean {
  return isDeepStrictEqual(reported(project), edits.verdicts());
}

/** The verdicts of the report that the last run wrote. */
function reported({ path }: WatchedProject): Readonly<Record<string, string>> {
  return verdictsOf(readFileSync(join(path, 'out.json'), 'utf8'));
}

/** The verdicts of a run that knows nothing of the ones before. */
async function fresh({ path }: WatchedProject): Promise<Readonly<Record<string, string>>> {
  const args = ['run', '--agent', './agent.mjs', '--no-record', '--reporter', 'json'];
  const { stdout } = await runCli(args, { cwd: path, env: { CALLS: '/dev/null' } });
  return verdictsOf(stdout);
}

function verdictsOf(report: string): Readonly<Record<string, string>> {
  const { results } = JSON.parse(report) as { results: readonly AttemptRecord[] };
  return Object.fromEntries(results.map(({ test: id, verdict }) => [id, verdict]));
}

function lastSummary(shown: string): string | undefined {
  return [...shown.matchAll(/^Tests +(.+)$/gm)].at(-1)?.[1];
}

function counted(edits: RandomEdits): string {
  const verdicts = Object.values(edits.verdicts());
  const failed = verdicts.filter((verdict) => verdict === 'failed').length;
  const parts = [
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(failed === verdicts.length ? [] : [`${verdicts.length - failed} passed`]),
  ];
  return `${parts.join(', ')} (${verdicts.length})`;
}
