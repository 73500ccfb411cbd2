import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { describeThrown } from './describe-thrown.ts';

test('paths inside the project are shown relative to it', () => {
  const error = new TypeError('boom');
  const file = join(process.cwd(), 'agents', 'a b.mjs');
  error.stack = `TypeError: boom\n    at run (${pathToFileURL(file).href}:3:7)\n    at ${file}:9:1\n    at /opt/tool.mjs:1:1`;
  const described = describeThrown(error, 'our-own-file.ts');
  expect(described.split('\n').slice(0, 2)).toEqual(['TypeError: boom', '    at run (agents/a%20b.mjs:3:7)']);
  expect(described).not.toContain(process.cwd());
  expect(described).toContain('    at /opt/tool.mjs:1:1');
});
