import { SECTIONS, flatten } from './sections.mjs';
import { summaryOf, titleOf } from './check-pages.mjs';

/** The content of llms.txt: what Assay is, and every page with one sentence. */
export function llmsText(folder, description) {
  const lines = ['# Assay', '', `> ${description}`];
  for (const { title, pages } of SECTIONS) {
    lines.push('', `## ${title}`, '');
    for (const page of flatten(pages)) {
      const summary = /^.*?[.:](?= |$)/.exec(summaryOf(folder, page))?.[0].replace(/:$/, '.') ?? '';
      const path = page.endsWith('index') ? `${page.slice(0, -'index'.length)}` : `${page}.html`;
      lines.push(`- [${titleOf(folder, page)}](/${path})${summary === '' ? '' : `: ${summary}`}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
