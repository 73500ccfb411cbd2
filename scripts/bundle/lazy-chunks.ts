import type { Plugin } from 'rolldown';

const IMPORT = /^const (require_[\w$]+) = require\("(\.\.?\/[^"]+)"\);$/gm;

/**
 * A chunk loads another one when it first uses something of it, and not before its own first line. What a command never
 * uses is then never loaded, without an `await import()` in the source. `eager` are chunks that every command needs: they are lazy for
 * entries only, which may do something before.
 */
export function lazyChunks(eager: RegExp): Plugin {
  return {
    name: 'lazy-chunks',
    renderChunk: (code, { isEntry }) => {
      let text = code;
      for (const [line, name, file] of code.matchAll(IMPORT)) {
        const used = `\\b${name!.replaceAll('$', '\\$')}(?![\\w$])`;
        // Handed on as a whole, as for the default export of a package in CommonJS.
        if ((eager.test(file!) && !isEntry) || new RegExp(`${used}(?!\\.)`).test(text.replace(line, '')))
          continue;
        const load = `let ${name}_loaded; const ${name} = () => ${name}_loaded ??= require("${file}");`;
        text = text
          .replaceAll(new RegExp(`${used}(?=\\.)`, 'g'), () => `(${name}())`)
          .replace(line, () => load);
      }
      return text;
    },
  };
}
