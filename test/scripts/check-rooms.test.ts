import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** What the check says about a project with these files. */
function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rooms-'));
  mkdirSync(join(folder, 'web'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { stderr, status } = spawnSync(process.execPath, [resolve('scripts/check-rooms.mjs')], {
    cwd: folder,
    encoding: 'utf8',
  });
  const problems = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(problems.length === 0 ? 0 : 1);
  // So few files do not use every door.
  return problems.filter((problem) => !problem.includes(' does not use '));
}

test('a use case may import parts, and from other use cases only what the table allows', () => {
  expect(
    problemsOf({
      'src/api/grade/grade.ts': `import { a } from '../recorded/a.ts';\nimport { b } from '../grade/b.ts';`,
      'src/api/run/prepared-run.ts': `const { planShard } = await import('../shards/plan-shard.ts');`,
    }),
  ).toEqual([]);
  expect(
    problemsOf({
      'src/api/grade/grade.ts': `import { run } from '../run/run.ts';`,
      'src/api/run/run.ts': `const { merge } = await import('../shards/merge.ts');`,
      'src/api/basics/exit-code.ts': `import type { A } from '../recorded/a.ts';`,
    }),
  ).toEqual([
    'src/api/basics/exit-code.ts: api/basics may not import this (../recorded/a.ts)',
    'src/api/grade/grade.ts: api/grade may not import this (../run/run.ts)',
    'src/api/run/run.ts: api/run may not import this (../shards/merge.ts)',
  ]);
});

test('a new folder in api is a use case, and every file in api is in a folder', () => {
  expect(
    problemsOf({
      'src/api/count/a.ts': `import { b } from '../select/b.ts';`,
      'src/api/audit/a.ts': `import { b } from '../count/a.ts';`,
      'src/api/run.ts': '',
    }),
  ).toEqual([
    'src/api/audit/a.ts: api/audit may not import this (../count/a.ts)',
    expect.stringContaining('src/api/run.ts: a file of api is in the folder'),
  ]);
});

test('a room imports only the rooms that the table allows', () => {
  expect(problemsOf({ 'src/base/model/a.ts': `import { b } from '../../run/b.ts';` })).toEqual([
    'src/base/model/a.ts: base/model may not import run (../../run/b.ts)',
  ]);
});
