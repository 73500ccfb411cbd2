import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flatten, SECTIONS } from './sections.mjs';

/** Pages that need no place in the sidebar. */
const LANDING = 'index';

/** The Markdown files of a folder as page names, such as `frameworks/mcp`. */
export function listPages(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/').slice(0, -'.md'.length))
    .sort();
}

/** What is wrong with the sidebar: pages in no section, entries without a page, pages that are listed twice. */
export function sidebarProblems(folder) {
  const listed = SECTIONS.flatMap(({ pages }) => flatten(pages));
  const pages = listPages(folder);
  return [
    ...pages
      .filter((page) => page !== LANDING && !listed.includes(page))
      .map((page) => `docs/${page}.md is in no sidebar: add it to site/sections.mjs`),
    ...listed
      .filter((page) => !pages.includes(page))
      .map((page) => `site/sections.mjs lists docs/${page}.md, which does not exist`),
    ...listed
      .filter((page, index) => listed.indexOf(page) !== index)
      .map((page) => `site/sections.mjs lists docs/${page}.md twice`),
  ];
}

/** The first heading of a page, without Markdown. */
export function titleOf(folder, page) {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(folder, `${page}.md`), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

/** The first paragraph of a page on one line, without links. */
export function summaryOf(folder, page) {
  const text = readFileSync(join(folder, `${page}.md`), 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  const [, paragraph = ''] = /^# .+\n+((?:[^\n#|<`].*\n)+)/m.exec(text) ?? [];
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
