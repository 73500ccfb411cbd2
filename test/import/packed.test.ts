import { afterAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/* Packed with the program `zstd`. Node reads it from 22.15 on; for Node 20 Assay has a decoder. */

const CHAT = Buffer.from(
  'KLUv/WS9AZ0CAAJFEBKQzwF4zULk8FA1ieEEHGuz/JzgovsgYGNWJuTZrZvF/VCQA2zMOMwWKpuTT7gmjOnicjU9+XJR3h7yXoy717sNBABIFWWE95zeVZBLrFqgl0xMKQ==',
  'base64',
);

/** One frame of blocks that each stand for 128 kB of line breaks. */
function bomb(blocks: number): Buffer {
  const block = (isLast: boolean): number[] => {
    const header = (isLast ? 1 : 0) | (1 << 1) | ((128 * 1024) << 3);
    return [header & 0xff, (header >> 8) & 0xff, (header >> 16) & 0xff, 0x0a];
  };
  const all = Array.from({ length: blocks }, (_, index) => block(index === blocks - 1));
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ...all.flat()]);
}

const project = createProject({
  'chat.jsonl.zst': CHAT,
  'twice.jsonl.zst': Buffer.concat([CHAT, CHAT]),
  'torn.jsonl.zst': CHAT.subarray(0, -20),
  'bomb.jsonl.zst': bomb(1000),
});
afterAll(() => project.remove());

async function imported(file: string) {
  const { stdout, exitCode } = await runCli(['import', file, '--reporter', 'json'], { cwd: project.path });
  const { results, findings } = JSON.parse(stdout) as {
    readonly results: readonly { readonly steps: readonly { readonly output: string }[] }[];
    readonly findings: readonly { readonly code: string; readonly message: string }[];
  };
  return { exitCode, results, findings };
}

test('a recording that is packed with zstd is read', async () => {
  const { exitCode, results, findings } = await imported('chat.jsonl.zst');
  expect(findings).toEqual([]);
  expect(exitCode).toBe(0);
  expect(results.map(({ steps }) => steps.map(({ output }) => output))).toEqual([['Again, '.repeat(30)]]);
});

test('several packed pieces in one file are read one after the other', async () => {
  expect((await imported('twice.jsonl.zst')).results).toHaveLength(2);
});

test('one that breaks off is an error, not a shorter recording', async () => {
  const { exitCode, results, findings } = await imported('torn.jsonl.zst');
  expect(results).toEqual([]);
  expect(findings.map(({ code }) => code)).toContain('unreadable');
  expect(exitCode).toBe(2);
});

test('one that unpacks to very much is stopped', async () => {
  const { exitCode, findings } = await imported('bomb.jsonl.zst');
  expect(findings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('it unpacks to far more than a log has'),
  );
  expect(exitCode).toBe(2);
});
