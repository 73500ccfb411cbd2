import type { Finding } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import type { Source } from '../../base/schema/reader.ts';
import { hasFewValues } from './few-values.ts';
import { toFinding } from './finding-at.ts';
import { createLineIndex } from './line-index.ts';
import { createJsonSource, createSource } from './located.ts';
import { extname } from './path-names.ts';
import { readJson } from './read-json.ts';
import { readStrictJson } from './strict-json.ts';
import { outlineYaml } from './yaml/outline.ts';
import { resolveYaml } from './yaml/resolve.ts';
import type { Dialect } from './yaml/scalars.ts';
import { parseYamlText } from './yaml/text.ts';
import type { YamlProblem } from './yaml/yaml-problem.ts';

/** A whole YAML or JSON file: its value, its places, and what is wrong with its text. */
export interface ParsedDocument {
  readonly value: Json;
  readonly source: Source;
  readonly findings: readonly Finding[];
}

/** A text that could not be read at all. */
export interface UnreadableDocument {
  readonly findings: readonly Finding[];
}

/**
 * Parses by the file's extension. The dialect of YAML's scalars may depend on what the document is: a function is given
 * its outermost keys and answers.
 */
export function parseDocument(
  file: string,
  text: string,
  dialect: Dialect | ((outline: Json) => Dialect),
): ParsedDocument | UnreadableDocument {
  return extname(file).toLowerCase() === '.json' ? parseJson(file, text) : parseYaml(file, text, dialect);
}

function parseJson(file: string, source: string): ParsedDocument | UnreadableDocument {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const read = hasFewValues(text) ? readJson(text) : readStrictJson(text);
  if ('problem' in read) return { findings: [toFinding(read.problem, file, createLineIndex(text))] };
  return { value: read.value, source: createJsonSource(file, text), findings: [] };
}

function parseYaml(
  file: string,
  source: string,
  dialect: Dialect | ((outline: Json) => Dialect),
): ParsedDocument | UnreadableDocument {
  const yaml = parseYamlText(source);
  const lines = createLineIndex(yaml.text);
  const choose = (): Dialect => {
    if (typeof dialect === 'string') return dialect;
    const isStepTest = DIALECTS.some((tried) => {
      const tentative = yaml.syntaxFor(tried);
      return (
        'root' in tentative &&
        tentative.root !== undefined &&
        dialect(outlineYaml(tentative.root)) === 'pyyaml'
      );
    });
    return isStepTest ? 'pyyaml' : 'core';
  };
  const chosen = choose();
  const syntax = yaml.syntaxFor(chosen);
  if ('problem' in syntax) return { findings: [toFinding(syntax.problem, file, lines)] };
  if (syntax.root === undefined) {
    return { value: null, source: createSource(file, lines, { value: null, start: 0 }), findings: [] };
  }
  const { root, problems } = resolveYaml(syntax.root, chosen, syntax.warnings);
  const findings = problems.map((problem) => toFinding(refuseNonFinite(problem), file, lines));
  return { value: root.value, source: createSource(file, lines, root), findings };
}

/** Where lines end may decide what a file is: one that either dialect sees as a step test is one, and PyYAML reads it. */
const DIALECTS: readonly Dialect[] = ['core', 'pyyaml'];

/** YAML has numbers that JSON does not; no test can be run with one. */
export function refuseNonFinite(problem: YamlProblem): YamlProblem {
  return problem.code === 'not_finite' ? { ...problem, severity: 'error' } : problem;
}
