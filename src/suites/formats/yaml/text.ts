import { SPECIAL_BREAK } from './pyyaml-scalar.ts';
import { asPyYamlReads } from './pyyaml-refuses.ts';
import { parsePyYamlSyntax } from './pyyaml-syntax.ts';
import type { Dialect } from './scalars.ts';
import type { YamlSyntax } from './syntax.ts';
import { parseUnindented } from './unindented-lines.ts';

export interface YamlText {
  /** Without a byte order mark; offsets count in this text. */
  readonly text: string;
  syntaxFor(dialect: Dialect): YamlSyntax;
}

/** Parses once; a second time for PyYAML if it ends lines at other places. */
export function parseYamlText(source: string): YamlText {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const core = parseUnindented(text);
  let pyyaml: YamlSyntax | undefined;
  return {
    text,
    syntaxFor(dialect) {
      if (dialect === 'core') return core;
      return (pyyaml ??= asPyYamlReads(
        text,
        SPECIAL_BREAK.test(text) ? parsePyYamlSyntax(text, core) : core,
      ));
    },
  };
}
