import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { pages } from './read-snippets.ts';
import { ROOT } from './assay-process.ts';

test.each(pages(ROOT))('the links of %s work', (page) => {
  const text = withoutFences(page);
  const broken: string[] = [];
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target)) continue;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, file))) broken.push(target);
    else if (anchor !== undefined && !anchors(file).has(anchor)) broken.push(target);
  }
  expect(broken).toEqual([]);
});

/** As GitHub makes them of headings. */
function anchors(page: string): ReadonlySet<string> {
  const headings = [...withoutFences(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function withoutFences(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
}
