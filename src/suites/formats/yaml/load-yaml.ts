import type { Finding } from '../../../base/model/finding.ts';
import type { Json } from '../../../base/model/json.ts';
import { toFinding } from '../finding-at.ts';
import { createLineIndex } from '../line-index.ts';
import { resolveYaml } from './resolve.ts';
import type { Dialect } from './scalars.ts';
import { parseYamlText } from './text.ts';

export interface LoadYamlOptions {
  /** How to read scalars without quotes: as PyYAML does, or by YAML 1.2's core schema. */
  readonly scalars: Dialect;
  /** The file's name, for the findings. */
  readonly file?: string;
}

/** Reads one YAML document. Bad input gives findings and the value `null`, never an exception. */
export function loadYaml(
  text: string,
  { scalars, file = '' }: LoadYamlOptions,
): { value: Json; findings: Finding[] } {
  const parsed = parseYamlText(text);
  const lines = createLineIndex(parsed.text);
  const syntax = parsed.syntaxFor(scalars);
  if ('problem' in syntax) return { value: null, findings: [toFinding(syntax.problem, file, lines)] };
  if (syntax.root === undefined) return { value: null, findings: [] };
  const { root, problems } = resolveYaml(syntax.root, scalars, syntax.warnings);
  return { value: root.value, findings: problems.map((problem) => toFinding(problem, file, lines)) };
}
