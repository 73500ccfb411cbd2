import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAbandoned, removeDeadDrafts, RunLock, RunLockedError } from '../../src/runs/journal/run-lock.ts';
import { ownIdentity } from '../../src/agents/processes/process-identity.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

const token = (letter: string): string => letter.repeat(24);

/** A lock of a process that is alive, dead or of another machine. */
function owner(state: 'alive' | 'dead' | 'elsewhere', letter = 'a'): string {
  const identity = {
    ...ownIdentity(),
    token: token(letter),
    locked_at: '2026-01-02T03:04:05Z',
    mark: 'none',
  };
  if (state === 'alive') return JSON.stringify(identity);
  return JSON.stringify(
    state === 'dead' ? { ...identity, pid: 2 ** 22 + 1 } : { ...identity, host: 'far-away' },
  );
}

function refusal(folder: string): RunLockedError {
  try {
    RunLock.acquire(folder);
  } catch (error) {
    if (error instanceof RunLockedError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test('a lock keeps others out until it is released, and leaves nothing behind', () => {
  const folder = createTempFolder();
  const lock = RunLock.acquire(folder);
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(refusal(folder).message).toMatch(new RegExp(`by process ${process.pid} on .*, since 20`));
  expect(refusal(folder).hint).toContain(`kill ${process.pid}`);
  expect(readdirSync(folder)).toEqual(['lock']);
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  RunLock.acquire(folder).release();
});

test('a lock that another process has taken meanwhile is not released', () => {
  const folder = createTempFolder();
  const lock = RunLock.acquire(folder);
  writeFileSync(join(folder, 'lock'), owner('alive', 'b'));
  lock.release();
  expect(existsSync(join(folder, 'lock'))).toBe(true);
});

test('the lock of a dead process is taken over, and leftover claims on it are removed', () => {
  const folder = createTempFolder({
    lock: owner('dead'),
    [`lock.${token('c')}`]: owner('dead', 'd'),
    'lock.txt': '',
  });
  RunLock.acquire(folder);
  expect(readdirSync(folder).sort()).toEqual(['lock', 'lock.txt']);
  expect(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
});

describe('a claim on the lock of a dead process', () => {
  const claimed = (state: 'alive' | 'dead' | 'elsewhere') =>
    createTempFolder({ lock: owner('dead'), [`lock.${token('a')}`]: owner(state, 'b') });

  test('by a living process keeps others out', () => {
    const folder = claimed('alive');
    expect(refusal(folder).message).toContain(`process ${process.pid}`);
    expect(readdirSync(folder).sort()).toEqual(['lock', `lock.${token('a')}`]);
  });

  test('by a process that died is taken over in turn', () => {
    const folder = claimed('dead');
    RunLock.acquire(folder);
    expect(readdirSync(folder)).toEqual(['lock']);
    expect(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  test('that cannot be read keeps others out', () => {
    const folder = createTempFolder({ lock: owner('dead'), [`lock.${token('a')}`]: '' });
    expect(refusal(folder).message).toContain('cannot be read');
  });
});

test.each([
  ['nothing', ''],
  ['something else', '{"pid": 1}'],
  ['a token that is none', owner('dead').replace(token('a'), 'a')],
  ['a number that is none', owner('dead').replace(/"pid":\d+/, '"pid":"7"')],
])('a lock that contains %s stays, since its owner is unknown', (_, text) => {
  const folder = createTempFolder({ lock: text });
  expect(refusal(folder)).toMatchObject({
    message: expect.stringContaining('cannot be read') as string,
    hint: expect.stringContaining(join(folder, 'lock')) as string,
  });
});

test('a lock of another machine stays, since its owner may be alive', () => {
  const folder = createTempFolder({ lock: owner('elsewhere') });
  expect(refusal(folder)).toMatchObject({
    message: expect.stringContaining('on far-away') as string,
    hint: expect.stringContaining('delete') as string,
  });
});

test('a folder that cannot be written is a separate error', () => {
  expect(() => RunLock.acquire(join(createTempFolder(), 'missing'))).toThrow('ENOENT');
});

describe('a folder is abandoned', () => {
  const draft = `draft-${token('e')}`;
  const claim = `lock.${token('f')}`;

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['when its owner is dead', { lock: owner('dead') }, true],
    [
      'when all who tried are dead',
      { lock: owner('dead'), [draft]: owner('dead'), [claim]: owner('dead') },
      true,
    ],
    ['not while its owner lives', { lock: owner('alive') }, false],
    ['not while somebody is about to lock it', { lock: owner('dead'), [draft]: owner('alive') }, false],
    ['not while somebody claims it', { lock: owner('dead'), [claim]: owner('alive') }, false],
    ['not when nobody can see whether its owner lives', { lock: owner('elsewhere') }, false],
    ['not when nobody locked it', { 'run.json': '{}' }, false],
    ['not when somebody began to write its name a moment ago', { [draft]: '' }, false],
  ])('%s', (_, files, expected) => {
    expect(isAbandoned(createTempFolder(files), 60_000)).toBe(expected);
  });

  test('if the process that claimed it did not write its name for a while', () => {
    const folder = createTempFolder({ [draft]: '' });
    const old = Date.now() / 1000 - 120;
    utimesSync(join(folder, draft), old, old);
    expect(isAbandoned(folder, 60_000)).toBe(true);
    expect(isAbandoned(folder, 600_000)).toBe(false);
  });
});

test('drafts of dead processes are removed, and nothing else', () => {
  const folder = createTempFolder({
    [`draft-${token('1')}`]: owner('dead'),
    [`draft-${token('2')}`]: owner('alive'),
    [`draft-${token('3')}`]: '',
    'draft-notes': owner('dead'),
    lock: owner('dead'),
  });
  removeDeadDrafts(folder);
  expect(readdirSync(folder).sort()).toEqual(
    [`draft-${token('2')}`, `draft-${token('3')}`, 'draft-notes', 'lock'].sort(),
  );
  rmSync(folder, { recursive: true });
});
