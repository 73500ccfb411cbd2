import { homedir, tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createPlaceText } from './own-places.ts';

const clean = createPlaceText({ projectRoot: '/srv/shop', folder: '/srv/shop/tapes' });

test.each([
  ['cwd: /srv/shop', 'cwd: {project}'],
  ['<cwd>/srv/shop</cwd>', '<cwd>{project}</cwd>'],
  ['see /srv/shop/src/a.ts, file:///srv/shop/b', 'see {project}/src/a.ts, file://{project}/b'],
  ['/srv/shop-2 and /srv/shop.old and x/srv/shop', '/srv/shop-2 and /srv/shop.old and x/srv/shop'],
  ['It is in /srv/shop.', 'It is in {project}.'],
  [`${homedir()}/.claude/projects/-srv-shop/memory`, '{home}/.claude/projects/{project}/memory'],
  [`${tmpdir()}/x, /tmp/y`, '{tmp}/x, {tmp}/y'],
  ['.assay/runs/20261118T004636-629-2444c1be/lock of', '.assay/runs/{run}/lock of'],
  ['Output: 3\nProcess Group PGID: 446', 'Output: 3\nProcess Group PGID'],
])('%j', (text, cleaned) => expect(clean(text)).toBe(cleaned));

test('what Assay writes is not in a listing, wherever in a tree it stands', () => {
  const before = '/srv/shop/\n├───a.txt\n└───src/\n    └───b.ts\n\nDone.';
  const after = `/srv/shop/
├───.assay/
│   ├───.gitignore
│   └───runs/
│       └───20261118T004636-629-2444c1be/
├───a.txt
├───src/
│   └───b.ts
└───tapes/
    └───a.json

Done.`;
  expect(clean(after)).toBe(clean(before));
  expect(clean(before)).not.toBe(clean(before.replace('b.ts', 'c.ts')));
  expect(clean('.assay\na.txt\ntapes\n./tapes/a.json')).toBe('a.txt');
  expect(clean('tapes are what I like')).toBe('tapes are what I like');
});

test('only a date that a prompt calls today is left out', () => {
  const now = new Date();
  const iso = now.toISOString().slice(0, 10);
  const long = now.toLocaleDateString('en-US', {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  expect(clean(`Today's date is ${iso}. Be brief.`)).toBe("Today's date is {today}. Be brief.");
  expect(clean(`Today's date is ${long} (UTC)`)).toBe("Today's date is {today} (UTC)");
  expect(clean(`<current_date>${iso}</current_date>`)).toBe('<current_date>{today}</current_date>');
  expect(clean(`  Today's date: ${now.toUTCString().slice(0, 3)}`)).not.toContain('{today}');
  expect(clean(`a flight on ${iso}`)).toBe(`a flight on ${iso}`);
  expect(clean("Today's date is 2001-01-01")).toBe("Today's date is 2001-01-01");
});
