import type { Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import type { Source } from '../schema/reader.ts';
import { isCleanJson } from './clean-json.ts';
import { parseJsonTree } from './json-tree.ts';
import { toFinding } from './finding-at.ts';
import { createLineIndex } from './line-index.ts';
import { isLongJson } from './long-json.ts';
import { createScannedSource, createSource } from './located.ts';
import { extname } from './path-names.ts';
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
  const value = isLongJson(text) ? parseCleanJson(text) : undefined;
  if (value !== undefined) return { value, source: createScannedSource(file, text), findings: [] };
  const tree = parseJsonTree(text);
  if ('problem' in tree) return { findings: [toFinding(tree.problem, file, createLineIndex(text))] };
  return { value: tree.root.value, source: createSource(file, text, tree.root), findings: [] };
}

/** What JSON.parse makes of a text that it reads as `parseJsonTree` does; else undefined. */
function parseCleanJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isCleanJson(text, value) ? value : undefined;
  } catch {
    // Said better, and with its place, by the other reader.
    return undefined;
  }
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
    return { value: null, source: createSource(file, yaml.text, { value: null, start: 0 }), findings: [] };
  }
  const { root, problems } = resolveYaml(syntax.root, chosen, syntax.warnings);
  const findings = problems.map((problem) => toFinding(refuseNonFinite(problem), file, lines));
  return { value: root.value, source: createSource(file, yaml.text, root), findings };
}

/** Where lines end may decide what a file is: one that either dialect sees as a step test is one, and PyYAML reads it. */
const DIALECTS: readonly Dialect[] = ['core', 'pyyaml'];

/** YAML has numbers that JSON does not; no test can be run with one. */
export function refuseNonFinite(problem: YamlProblem): YamlProblem {
  return problem.code === 'not_finite' ? { ...problem, severity: 'error' } : problem;
}
