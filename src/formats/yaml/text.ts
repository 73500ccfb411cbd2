import type { Dialect } from './scalars.ts';
import { parseYamlSyntax, type YamlSyntax } from './syntax.ts';

export interface YamlText {
  /** Without a byte order mark; offsets count in it. */
  readonly text: string;
  readonly syntax: YamlSyntax;
  syntaxFor(dialect: Dialect): YamlSyntax;
}

const OTHER_LINE_BREAKS = /[\u0085\u2028\u2029]/g;

/**
 * Parses once. Only a text that is no YAML 1.2 but has YAML 1.1's other line breaks (NEL, U+2028, U+2029) is parsed a
 * second time with those as line feeds, because PyYAML ends a line there; offsets stay the same.
 */
export function parseYamlText(source: string): YamlText {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const syntax = parseYamlSyntax(text);
  return {
    text,
    syntax,
    syntaxFor(dialect) {
      if (dialect === 'core' || !('problem' in syntax) || !OTHER_LINE_BREAKS.test(text)) return syntax;
      return parseYamlSyntax(text.replaceAll(OTHER_LINE_BREAKS, '\n'));
    },
  };
}
