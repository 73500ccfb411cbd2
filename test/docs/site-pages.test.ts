import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
// @ts-expect-error -- a module of the site, which is plain JavaScript
import { listPages, sidebarProblems } from '../../site/check-pages.mjs';
// @ts-expect-error -- the same
import { llmsText } from '../../site/llms-text.mjs';
import { createProject, ROOT } from './assay-process.ts';

const DOCS = join(ROOT, 'docs');
const project = createProject({ 'docs/index.md': '# Home', 'docs/new-page.md': '# New' });
afterAll(() => project.remove());

test('every page of docs is in the sidebar of the site, once', () => {
  expect(sidebarProblems(DOCS)).toEqual([]);
});

test('a page in no sidebar, and an entry without a page, stop the build', () => {
  const problems = sidebarProblems(join(project.path, 'docs')) as readonly string[];
  expect(problems).toContain('docs/new-page.md is in no sidebar: add it to site/sections.mjs');
  expect(problems).toContain('site/sections.mjs lists docs/quick-start.md, which does not exist');
});

test('llms.txt lists every page with its title', () => {
  const text = llmsText(DOCS, 'A test runner.') as string;
  const links = [...text.matchAll(/^- \[[^\]]+\]\(\/([\w./-]*)\)/gm)].map(([, path]) => path);
  expect(links).toHaveLength((listPages(DOCS) as readonly string[]).length - 1);
  expect(text).toContain('- [Quick start](/quick-start.html): This page');
});
