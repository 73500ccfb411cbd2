import { globMatcher } from '../../base/match/glob.ts';
import { globs } from '../../base/match/globs.ts';
import { jsonMatches } from '../../base/match/json-matches.ts';
import { comparable } from '../../base/match/matchers/comparable.ts';
import { search } from '../../base/match/python-re/index.ts';
import type { AssertionOutcome } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import { oneOrMany } from '../../base/schema/one-or-many.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, needsOneOf } from '../../base/schema/refine.ts';
import { boolean, text } from '../../base/schema/values.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import type { WorkspaceView } from '../contract/workspace-view.ts';
import { unmeasured } from '../unmeasured.ts';
import { checkPythonPattern } from './regex.ts';

interface FilesParameters {
  readonly path: string | readonly string[];
  readonly exists?: boolean;
  readonly absent?: boolean;
  readonly equals?: string;
  readonly contains?: string | readonly string[];
  readonly matches?: string;
  readonly unchanged?: boolean;
  readonly json?: Json;
}

export const NO_WORKSPACE =
  'there is no workspace to look at: give the test one (`workspace`), and run it; recorded results have none';

const CLAIMS = ['exists', 'absent', 'equals', 'contains', 'matches', 'unchanged', 'json'] as const;

export const files = defineEvaluator({
  kind: 'files',
  doc: 'Checks files of the workspace. Every file that a glob matches must satisfy it, and there must be one.',
  example: { path: 'src/cart.js', contains: 'export' },
  reads: [],
  isBinary: true,
  fields: {
    path: {
      schema: globs(),
      doc: 'A path in the workspace, a glob, or several.',
      missing: 'missing_path',
    },
    exists: { schema: boolean(), doc: 'There is such a file (`true`), or none (`false`).' },
    absent: { schema: boolean(), doc: 'There is no such file.' },
    equals: { schema: text(), doc: 'Its text is exactly this.' },
    contains: { schema: oneOrMany(), doc: 'Its text contains this, or all of these.' },
    matches: { schema: text(), doc: 'Its text contains a match of this Python pattern.' },
    unchanged: { schema: boolean(), doc: 'It is as the agent got it (`true`), or differs (`false`).' },
    json: { schema: comparable(), doc: 'It is JSON that equals or matches this.', null: 'value' },
  },
  check: checkFields,
  evaluate(parameters, _evidence, { workspace }) {
    return workspace === undefined ? unmeasured(NO_WORKSPACE) : checkFiles(parameters, workspace);
  },
});

function checkFields(authored: Json, reader: Reader, { matches }: FilesParameters): void {
  needsOneOf(CLAIMS)(authored, reader);
  if (matches !== undefined) checkPythonPattern(matches, reader, ['matches']);
  const isNone = (['absent', 'exists'] as const).find(
    (key) => given(authored, key) && (authored as Record<string, Json>)[key] === (key === 'absent'),
  );
  const about = ['equals', 'contains', 'matches', 'json'].find((key) => given(authored, key));
  if (isNone !== undefined && about !== undefined)
    reader.error({
      code: 'contradiction',
      message: `a file that must not exist cannot satisfy \`${about}\``,
      hint: 'keep one of them',
      at: [about],
      onKey: true,
    });
}

async function checkFiles(parameters: FilesParameters, workspace: WorkspaceView): Promise<AssertionOutcome> {
  const { exists, absent, unchanged, equals, contains, matches, json } = parameters;
  const path = [parameters.path].flat();
  const isNamed = globMatcher(path);
  // Texts are asked for at once: programs that other evaluators start wait for it.
  const texts = new Map<string, Promise<string>>();
  const found = (await workspace.paths()).filter(isNamed);
  const names = path.join(', ');
  const misses: string[] = [];
  const isAbsent = absent === true || exists === false;
  if (isAbsent && found.length > 0) misses.push(...found.map((each) => `${each} exists`));
  const needsOne =
    exists === true ||
    absent === false ||
    [equals, contains, matches, json].some((each) => each !== undefined);
  if (needsOne && found.length === 0) misses.push(`no file in the workspace matches ${names}`);
  if (unchanged !== undefined)
    misses.push(...(await changeMisses(workspace, { isNamed, names, found, unchanged })));
  if (equals !== undefined || contains !== undefined || matches !== undefined || json !== undefined) {
    for (const each of found) texts.set(each, workspace.readText(each));
    for (const [each, reading] of texts)
      try {
        const miss = textMiss(await reading, parameters);
        if (miss !== undefined) misses.push(`${each} ${miss}`);
      } catch (error) {
        misses.push(`${each}: ${(error as Error).message}`);
      }
  }
  const held = misses.length === 0;
  return {
    score: held ? 1 : 0,
    message: held ? `the files are as expected: ${isAbsent ? `none matches ${names}` : names}` : misses[0],
    actual: found.slice(0, 50),
    ...(misses.length > 1 && { misses: misses.slice(0, 50) }),
  };
}

interface Naming {
  readonly isNamed: (path: string) => boolean;
  readonly names: string;
  readonly found: readonly string[];
  readonly unchanged: boolean;
}

/** A file that is gone, or new, has changed. */
async function changeMisses(
  workspace: WorkspaceView,
  { isNamed, names, found, unchanged }: Naming,
): Promise<readonly string[]> {
  const all = [...new Set([...workspace.pathsBefore().filter(isNamed), ...found])];
  if (all.length === 0) return [`no file matches ${names}, in the template and in the workspace`];
  const misses: string[] = [];
  for (const each of all)
    if ((await workspace.isUnchanged(each)) !== unchanged)
      misses.push(`${each} ${unchanged ? 'changed' : 'did not change'}`);
  return misses;
}

function textMiss(
  content: string,
  { equals, contains = [], matches, json }: FilesParameters,
): string | undefined {
  if (equals !== undefined && content !== equals) return 'has other text than expected';
  const missing = [contains].flat().find((part) => !content.includes(part));
  if (missing !== undefined) return `does not contain ${JSON.stringify(missing)}`;
  if (matches !== undefined && search(matches, content) === null)
    return `does not match ${JSON.stringify(matches)}`;
  if (json === undefined) return undefined;
  try {
    return jsonMatches(json, parseJson(content)) ? undefined : 'is JSON that differs from what is expected';
  } catch (error) {
    return `is not JSON: ${(error as Error).message}`;
  }
}
