import { existsSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { LiveFile, readLive } from '../../src/runs/journal/live-file.ts';
import { ownIdentity } from '../../src/agents/processes/process-identity.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

const files: LiveFile[] = [];
afterEach(() => {
  for (const file of files.splice(0)) file.remove();
});

function open(folder: string): LiveFile {
  const file = new LiveFile(folder);
  files.push(file);
  return file;
}

/** What is there after at most a second: changes are written at once, or half a second later. */
async function shown(folder: string, isThere: (live: ReturnType<typeof readLive>) => boolean) {
  await vi.waitFor(() => expect(isThere(readLive(folder))).toBe(true), { timeout: 20_000, interval: 20 });
  return readLive(folder);
}

test('planned and running attempts can be read until the run ends', async () => {
  const folder = createTempFolder();
  expect(readLive(folder)).toBeUndefined();
  const live = open(folder);
  expect(readLive(folder)).toEqual({ planned: undefined, running: [] });
  expect(statSync(join(folder, 'live.json')).mode & 0o777).toBe(0o600);
  live.plan(
    new Map([
      ['a.yaml', 3],
      ['b.yaml', 4],
    ]),
  );
  live.began({ id: 'a.yaml::t::agent::1', test: 't' });
  live.began({ id: 'a.yaml::u::agent::1', test: 'u' });
  const two = await shown(folder, (each) => each?.running.length === 2);
  expect(two).toMatchObject({ planned: 7, running: [{ test: 't' }, { id: 'a.yaml::u::agent::1' }] });
  expect(two?.running[0]?.started_at).toMatch(/^20\d\d-.*Z$/);
  live.ended('a.yaml::t::agent::1');
  live.plan(undefined);
  const one = await shown(folder, (each) => each?.running.length === 1);
  expect(one).toMatchObject({ planned: undefined, running: [{ test: 'u' }], pace: { ended: 1 } });
  expect(one?.pace?.elapsed_ms).toBeGreaterThanOrEqual(0);
  live.remove();
  expect(existsSync(join(folder, 'live.json'))).toBe(false);
});

test('at most two hundred attempts are listed', async () => {
  const folder = createTempFolder();
  const live = open(folder);
  for (let index = 0; index < 250; index++) live.began({ id: `${index}`, test: 't' });
  const state = await shown(folder, (each) => each?.running.length !== 0);
  await shown(folder, (each) => each?.running.length === 200);
  expect(state).toBeDefined();
});

test('a run continues if its live file cannot be written', () => {
  const folder = createTempFolder();
  const live = open(folder);
  rmSync(folder, { recursive: true });
  live.began({ id: '1', test: 't' });
  live.remove();
  expect(() => open(join(folder, 'missing'))).not.toThrow();
});

test.each([
  ['no JSON', '{'],
  ['no object', '[1]'],
  ['no writer', '{"running": []}'],
  ['a dead writer', JSON.stringify({ writer: { ...ownIdentity(), pid: 2 ** 22 + 1 }, running: [] })],
])('a live file of %s is ignored', (_, text) => {
  expect(readLive(createTempFolder({ 'live.json': text }))).toBeUndefined();
});

test('an invalid list is read as empty', () => {
  const text = JSON.stringify({ writer: ownIdentity(), planned: 2, running: 'x' });
  expect(readLive(createTempFolder({ 'live.json': text }))).toEqual({ planned: 2, running: [] });
});

test('a writer on another machine counts as alive for half a minute', () => {
  const text = JSON.stringify({ writer: { ...ownIdentity(), host: 'far-away' }, running: [] });
  const folder = createTempFolder({ 'live.json': text });
  expect(readLive(folder)).toEqual({ planned: undefined, running: [] });
  const at = (seconds: number): void => {
    const time = Date.now() / 1000 - seconds;
    utimesSync(join(folder, 'live.json'), time, time);
  };
  at(20);
  expect(readLive(folder)).toBeDefined();
  at(31);
  expect(readLive(folder)).toBeUndefined();
});
