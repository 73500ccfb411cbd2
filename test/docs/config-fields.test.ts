import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMON } from '../../src/agents/kinds/target-fields.ts';
import { configSchema } from '../../src/suites/config/config-schema.ts';
import { ROOT } from './assay-process.ts';

test('docs/configuration.md has a row for every field of the config, and for every field of all targets', () => {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = new Set(
    rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name)),
  );
  const fields = [...Object.keys(configSchema.fields), ...Object.keys(COMMON)];
  expect(fields.filter((name) => !named.has(name) && name !== '$schema' && name !== 'name')).toEqual([]);
});
