import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Links of pages to files of the repository outside of docs/, such as ../examples/cassettes/README.md: on the site they lead to
 * the repository. A file that does not exist stays as it is, so that VitePress reports a dead link.
 */
export function linkToRepository(markdown, { root, docs, url }) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const written = token.type === 'link_open' ? token.attrGet('href') : null;
      if (written === null) continue;
      // The changelog of the repository is included in a page: its links start at the root.
      const isIncluded = /^(?:docs|examples|contributing|bench)\//.test(written);
      const href = isIncluded ? `../${written}` : written;
      if (!href.startsWith('..')) continue;
      const [path, anchor] = href.split('#');
      const file = resolve(dirname(join(docs, env.relativePath)), decodeURI(path));
      if (isIncluded && file.startsWith(docs)) token.attrSet('href', written.slice('docs/'.length));
      if (file.startsWith(docs) || !existsSync(file)) continue;
      const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
      token.attrSet(
        'href',
        `${url}/${kind}/main/${relative(root, file)}${anchor === undefined ? '' : `#${anchor}`}`,
      );
    }
  });
}

/** `<!-- file: agent.mjs -->` before a code block becomes its caption; other comments are left out. */
export function showFileNames(markdown) {
  markdown.renderer.rules.html_block = (tokens, index) => {
    const { content } = tokens[index];
    if (!content.startsWith('<!--')) return content;
    const [, name] = /^<!--[^>]*\bfile: ([^;>]+?)(?:;[^>]*)? -->/.exec(content) ?? [];
    return name === undefined ? '' : `<p class="file-name" v-pre>${markdown.utils.escapeHtml(name)}</p>\n`;
  };
}

/** `{{name}}` in text and code is text: Vue would look for a variable. */
export function keepBraces(markdown) {
  const { rules } = markdown.renderer;
  for (const name of ['text', 'code_inline']) {
    const render = rules[name];
    rules[name] = (...args) => render.apply(rules, args).replaceAll('{{', '&#123;&#123;');
  }
}
