import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assert as assertAll } from 'fast-check';
import { expect, test } from 'vitest';
import { copyTree } from '../../src/agents/workspace/copy-tree.ts';
import { WorkTree } from '../../src/agents/workspace/work-tree.ts';
import { readManifest } from '../../src/agents/workspace/manifest.ts';
import { effort } from '../effort.ts';
import * as fc from '../seeded-fast-check.ts';

type Entry =
  | {
      readonly kind: 'text';
      readonly lines: readonly string[];
      readonly hasEnd: boolean;
      readonly isProgram: boolean;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'link'; readonly goal: string };

const names = fc.constantFrom(
  'a',
  'b.txt',
  'sp ace',
  'ü.md',
  'd/x',
  'd/y.js',
  'd/e/z',
  'q"uote',
  'tab\there',
  '.hidden',
);
const line = fc.constantFrom(
  'one',
  'two',
  'three',
  '',
  '  indented',
  '-minus',
  '+plus',
  '@@ -1 +1 @@',
  'x\r',
  'ü',
);
const entry: fc.Arbitrary<Entry> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      lines: fc.array(line, { maxLength: 30 }),
      hasEnd: fc.boolean(),
      isProgram: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('bytes' as const), bytes: fc.uint8Array({ maxLength: 20 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('link' as const), goal: fc.constantFrom('a', 'none', 'd/x') }),
  },
);
const tree = fc.dictionary(names, entry, { maxKeys: 8 });

function write(folder: string, files: Readonly<Record<string, Entry>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, each] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (each.kind === 'link') symlinkSync(each.goal, path);
    else if (each.kind === 'bytes') writeFileSync(path, each.bytes);
    else {
      writeFileSync(path, each.lines.join('\n') + (each.hasEnd ? '\n' : ''));
      if (each.isProgram) chmodSync(path, 0o755);
    }
  }
}

test('the diff is that of git diff --no-index', async () => {
  await assertAll(
    fc.asyncProperty(tree, tree, async (before, after) => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-diff-'));
      try {
        write(join(folder, 'a'), before);
        write(join(folder, 'b'), after);
        mkdirSync(join(folder, 'scratch'));
        const work = new WorkTree({
          folder: join(folder, 'b'),
          scratch: join(folder, 'scratch'),
          before: { folder: join(folder, 'a'), manifest: await readManifest(join(folder, 'a')) },
          protect: [],
          startCheck: () => Promise.reject(new Error('nothing runs')),
        });
        const { text = '', total, files, cut } = await work.diff();
        const env = {
          PATH: process.env['PATH'],
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_CONFIG_NOSYSTEM: '1',
          LC_ALL: 'C',
        };
        const git = (...args: readonly string[]): string =>
          spawnSync(
            'git',
            ['-c', 'core.quotePath=false', 'diff', '--no-index', '--no-prefix', ...args, 'a', 'b'],
            { cwd: folder, env, encoding: 'utf8' },
          ).stdout;
        expect(text).toBe(git());
        expect(cut).toBeUndefined();
        const numbers = git('--no-renames', '--numstat', '-z').split('\0').length - 1;
        expect(total).toBe(files.length);
        expect(numbers === 0).toBe(total === 0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: effort({ short: 20, long: 1000 }), endOnFailure: true },
  );
});

test('what is copied is the same, also in its links and rights', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-copy-'));
  try {
    write(join(folder, 'from'), {
      'd/x': { kind: 'text', lines: ['x'], hasEnd: true, isProgram: true },
      'd/link': { kind: 'link', goal: 'x' },
      bytes: { kind: 'bytes', bytes: Uint8Array.of(0, 255) },
    });
    await copyTree(join(folder, 'from'), join(folder, 'to'));
    expect([...(await readManifest(join(folder, 'to'))).files]).toEqual([
      ...(await readManifest(join(folder, 'from'))).files,
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
