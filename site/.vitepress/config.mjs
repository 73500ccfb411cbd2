import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { sidebarProblems, titleOf } from '../check-pages.mjs';
import { llmsText } from '../llms-text.mjs';
import { keepBraces, linkToRepository, showFileNames } from '../markdown-rules.mjs';
import { SECTIONS } from '../sections.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = join(ROOT, 'site');
const DOCS = join(ROOT, 'docs');
const { description, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const url = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

const problems = sidebarProblems(DOCS);
if (problems.length > 0) throw new Error(problems.join('\n'));

const linkOf = (page) => `/${page.replace(/(^|\/)index$/, '$1')}`;
const itemOf = (entry) =>
  typeof entry === 'string'
    ? { text: titleOf(DOCS, entry), link: linkOf(entry) }
    : { ...itemOf(entry.page), collapsed: true, items: entry.pages.map(itemOf) };

export default defineConfig({
  title: 'Assay',
  description,
  lang: 'en-GB',
  srcDir: DOCS,
  outDir: fileURLToPath(new URL('../dist', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vitepress', import.meta.url)),
  base: process.env.DOCS_BASE ?? '/',
  // The landing page of a framework section is index.md; links to it are checked like all others.
  ignoreDeadLinks: false,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: {
    plugins: [
      {
        // The pages are outside of this folder, so they would not find Vue.
        name: 'packages-of-the-site',
        enforce: 'pre',
        resolveId(name, importer, options) {
          const isPackage = /^vue(?:\/|$)/.test(name) && importer?.startsWith(DOCS);
          if (!isPackage) return null;
          if (options.ssr === true) return { id: name, external: true };
          return this.resolve(name, join(SITE, 'sections.mjs'), { ...options, skipSelf: true });
        },
      },
    ],
    ssr: { external: ['vue', 'vue/server-renderer'] },
    server: { fs: { allow: [ROOT] } },
  },
  markdown: {
    config(markdown) {
      linkToRepository(markdown, { root: ROOT, docs: DOCS, url });
      showFileNames(markdown);
      keepBraces(markdown);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Reference', link: '/reference/cli' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: SECTIONS.map(({ title, pages }, index) => ({
      text: title,
      collapsed: index > 1,
      items: pages.map(itemOf),
    })),
    socialLinks: [{ icon: 'github', link: url }],
    footer: { message: 'MIT license. No telemetry, and no request to anywhere else from these pages.' },
  },
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, 'llms.txt'), llmsText(DOCS, description));
  },
});
