import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAssertionKinds } from '../../src/checks/registry.ts';
import { editorSchemas, type EditorSchema } from '../../src/suites/config/editor-schemas.ts';
import { TARGET_KINDS } from '../../src/agents/kinds/registry.ts';
import { detectFormat } from '../../src/suites/formats/detect-format.ts';
import { parseDocument } from '../../src/suites/formats/document.ts';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import { MATCHERS } from '../../src/base/match/matchers/registry.ts';
import { hasErrors } from '../../src/base/model/finding.ts';
import type { Json } from '../../src/base/model/json.ts';
import { printJson } from '../../src/base/model/print-json.ts';
import { LanguageClient } from './language-client.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVER = resolve(ROOT, 'node_modules/yaml-language-server/bin/yaml-language-server');
const kinds = createAssertionKinds();
const TYPES = kinds.evaluators.map(({ kind }) => kind);
const CASE = 'evalcases:\n  - id: a\n    input: hi\n    evaluators:\n';

const schemaFile = (name: EditorSchema): string =>
  pathToFileURL(resolve(ROOT, `schema/${name}.schema.json`)).href;

/** The settings that docs/editor-setup.md shows, for the schemas of this checkout. */
const SCHEMAS = {
  [schemaFile('steps')]: ['*.test.yaml', '*.test.json'],
  [schemaFile('eval')]: ['*.eval.yaml', 'EVAL.yaml'],
  [schemaFile('sidecar')]: ['dataset*.yaml'],
  [schemaFile('config')]: ['assay.config.yaml', 'targets.yaml'],
};

let yaml: LanguageClient;
beforeAll(async () => {
  const settings = { yaml: { schemas: SCHEMAS, schemaStore: { enable: false } } };
  yaml = new LanguageClient([SERVER, '--stdio'], { cwd: ROOT, settings });
  await yaml.ready();
  // It reads its settings after it has said that it is ready.
  while ((await yaml.check('ready.eval.yaml', 'evalcases: 5\n')).length === 0);
}, 60_000);
afterAll(() => yaml.end());

const labels = (items: readonly { label: string }[]): readonly string[] => items.map(({ label }) => label);
/** By name, or as a file of this checkout. */
const problems = async (name: string, text: string): Promise<readonly string[]> =>
  (await yaml.check(name.includes('/') ? pathToFileURL(join(ROOT, name)).href : name, text)).map(
    ({ message, range }) => `${range.start.line + 1} ${message}`,
  );

describe('yaml-language-server completes', () => {
  test('every type of evaluator, in a case, in a step and in a composite', async () => {
    const step = 'input: a\nassert:\n';
    const inside = `${CASE}      - type: composite\n        evaluators:\n`;
    for (const [name, before, indent] of [
      ['a.eval.yaml', CASE, '      '],
      ['a.test.yaml', step, '  '],
      ['a.eval.yaml', inside, '          '],
      ['dataset-a.yaml', 'evaluators:\n', '  '],
    ] as const)
      for (const typed of ['- type: |\n', '- type: |', '- name: n\n#    type: |\n'])
        expect(
          labels(await yaml.complete(name, `${before}${indent}${typed.replace('#  ', indent)}`)),
          `${before}${typed}`,
        ).toEqual(expect.arrayContaining([...TYPES]));
  });

  test.each(kinds.evaluators.map(({ kind, schema }) => [kind, schema] as const))(
    'the fields of %s, and no others',
    async (kind, { fields }) => {
      const wanted = Object.entries(fields).filter(([name, { isForeign }]) => name !== 'type' && !isForeign);
      const found = labels(await yaml.complete('a.eval.yaml', `${CASE}      - type: ${kind}\n        |\n`));
      expect(found).toEqual(expect.arrayContaining(wanted.map(([name]) => name)));
      const aliases = wanted.flatMap(([, { aliases: others = {} }]) => Object.keys(others));
      expect([...found].sort()).toEqual([...wanted.map(([name]) => name), ...aliases].sort());
    },
  );

  test('claims, with a path of memory', async () => {
    for (const word of ['', 'mem', 'out'])
      expect(
        labels(await yaml.complete('a.test.yaml', `steps:\n  - input: a\n    assert:\n      ${word}|\n`)),
      ).toEqual(expect.arrayContaining(kinds.claims.map(({ key }) => key)));
  });

  test('fields of files, cases, targets, and what a field may be', async () => {
    const complete = async (name: string, text: string): Promise<readonly string[]> =>
      labels(await yaml.complete(name, text));
    expect(await complete('a.eval.yaml', '|\n')).toEqual(
      expect.arrayContaining(['evalcases', 'vars', 'repeats', '$schema']),
    );
    expect(await complete('a.eval.yaml', 'evalcases:\n  - id: a\n    |\n')).toEqual(
      expect.arrayContaining(['input', 'each', 'vars', 'faults', 'limits', 'pass_at_least']),
    );
    expect(await complete('assay.config.yaml', '|\n')).toEqual(
      expect.arrayContaining([
        'agent',
        'targets',
        'judge',
        'gates',
        'cassettes',
        'editor',
        'mcp',
        'reporter',
        'include',
        'retry',
        'strict',
      ]),
    );
    expect(await complete('assay.config.yaml', 'mcp:\n  |\n')).toEqual(
      expect.arrayContaining(['paths', 'targets', 'max_cost']),
    );
    expect(
      await complete(
        'assay.config.yaml',
        'targets:\n  - name: a\n    provider: mock\n    variants:\n      - name: b\n        |\n',
      ),
    ).toEqual(expect.arrayContaining(['env', 'model', 'system', 'args']));
    expect(await complete('assay.config.yaml', 'editor: |\n')).toEqual(
      expect.arrayContaining(['vscode', 'idea', '"off"']),
    );
    expect(await complete('a.test.yaml', '|\ninput: x\n')).toContain('targets');
    expect(await complete('a.eval.yaml', 'evalcases:\n  - id: a\n    |\n')).toContain('targets');
    expect(await complete('assay.config.yaml', 'targets:\n  - name: a\n    provider: |\n')).toEqual(
      expect.arrayContaining(['mock', 'openai', 'claude-code', 'cli']),
    );
    expect(await complete('targets.yaml', 'targets:\n  - name: a\n    provider: mock\n    |\n')).toEqual(
      expect.arrayContaining(['response', 'replies', 'workers']),
    );
    expect(await complete('a.eval.yaml', `${CASE}      - type: tool_trajectory\n        mode: |\n`)).toEqual(
      expect.arrayContaining(['exact', 'in_order', 'any_order', 'unordered', 'subset', 'superset']),
    );
    // What only other tools write is read, and not proposed.
    expect(await complete('a.eval.yaml', '|\n')).not.toContain('nunjucks_filters');
  });
});

describe('yaml-language-server reports', () => {
  /** Two letters swapped; of a name that is long enough also one too few, too many or wrong, and capitals. */
  const misspell = (name: string): readonly string[] => {
    const swapped = [...name]
      .slice(1)
      .map((letter, index) => name.slice(0, index) + letter + name[index]! + name.slice(index + 2));
    if (name.length < 6) return swapped;
    const middle = Math.floor(name.length / 2);
    return [
      ...swapped,
      ...Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1)),
      `${name}s`,
      `${name.slice(0, middle)}x${name.slice(middle)}`,
      `${name.slice(0, middle)}x${name.slice(middle + 1)}`,
      name.toUpperCase(),
      name[0]!.toUpperCase() + name.slice(1),
    ];
  };

  test('each misspelled type, with the name that is meant', async () => {
    const isKnown = (name: string): boolean => parseType(name);
    const wrong = TYPES.flatMap((name) => misspell(name).map((typed) => ({ name, typed }))).filter(
      ({ typed }) => !isKnown(typed),
    );
    const text = CASE + wrong.map(({ typed }) => `      - type: ${typed}\n`).join('');
    const found = await problems('a.eval.yaml', text);
    const missed = wrong.filter(
      ({ name }, index) =>
        !found.some((each) => each.startsWith(`${5 + index} `) && each.includes(`Did you mean \`${name}\`?`)),
    );
    expect(missed).toEqual([]);
  });

  test('no name that a config may register', async () => {
    const own = [
      'polite',
      'post',
      'costs',
      'tone',
      'json_shape',
      'my_contains',
      './checks.ts#equal',
      'contains-number',
    ];
    const text = CASE + own.map((name) => `      - type: ${name}\n`).join('');
    expect(await problems('a.eval.yaml', text)).toEqual([]);
  });

  /** Some misspellings are other names: without `i`, `icontains` is `contains`. */
  function parseType(type: string): boolean {
    const text = `evalcases: [{ id: a, input: b, evaluators: [{ type: ${type} }] }]\n`;
    return !parseSuite({ path: 'a.eval.yaml', text }).findings.some(
      ({ code }) => code === 'unknown_evaluator',
    );
  }

  test('a wrong field, a missing one and a wrong value of an evaluator, at its place', async () => {
    const evaluators = [
      '- type: regex\n        valeu: a',
      '- type: tool_trajectory\n        mode: in_ordr',
      '- type: latency\n        threshold: fast',
      '- value: a',
    ];
    const text = CASE + evaluators.map((each) => `      ${each}\n`).join('');
    expect((await problems('a.eval.yaml', text)).toSorted()).toEqual([
      '10 Expected a time such as 500ms, 2s or 1m, or a number of milliseconds.',
      '11 Missing property "type".',
      '5 Missing property "value".',
      '6 Property valeu is not allowed.',
      '8 Value is not accepted. Valid values: "exact", "in_order", "any_order", "superset", "unordered", "subset".',
    ]);
  });

  test('a misspelled provider and a wrong field of a target', async () => {
    const text =
      'targets:\n  - { name: a, provider: opnai, model: m }\n  - { name: b, provider: mock, respones: x }\n';
    const found = await problems('assay.config.yaml', text);
    expect(found.join('\n')).toMatch(/2 Value is not accepted.*"openai"/);
    expect(found.join('\n')).toContain('3 Property respones is not allowed.');
  });

  test('mistakes in a config: variants, the `mcp` block, and other settings', async () => {
    const text = [
      'targets:',
      '  - { name: a, provider: mock, response: x, variants: [{ name: b, modle: m }] }',
      'mcp: { path: [tests] }',
      'mcp_x: 1',
      'editor: [vscode]',
      'reporter: { junit: x }',
      'include: 5',
      'retry: -1',
      'strict: often',
    ].join('\n');
    const found = await problems('assay.config.yaml', `${text}\n`);
    expect(new Set(found.map((problem) => Number(problem.split(' ')[0])))).toEqual(
      new Set([2, 3, 4, 5, 6, 7, 8, 9]),
    );
    const fine = [
      'targets:',
      '  - { name: a, provider: mock, response: x, variants: [{ name: b, system: m, env: { A: b } }] }',
      'mcp: { paths: [tests], targets: [a/b], max_cost: 0.5 }',
      'editor: "idea://open?file={path}"',
      'reporter: [terminal, junit=a.xml]',
      'include: tests',
      'retry: 0',
      'strict: true',
    ].join('\n');
    expect(await problems('assay.config.yaml', `${fine}\n`)).toEqual([]);
    expect(
      await problems('a.eval.yaml', `targets: [a, a/b]\n${CASE}      - { type: contains, value: x }\n`),
    ).toEqual([]);
    expect(
      await problems('a.test.yaml', 'targets: [a, a/b]\ninput: x\nassert: { output.includes: x }\n'),
    ).toEqual([]);
    expect(
      (await problems('a.test.yaml', 'targets: 5\ninput: x\nassert: { output.includes: x }\n')).length,
    ).toBe(1);
  });

  test('what types and fields mean', async () => {
    const hover = `${CASE}      - type: reg|ex\n        value: a\n`;
    expect(await yaml.hover('a.eval.yaml', hover)).toContain('The pattern is found in the output.');
    const field = `${CASE}      - type: regex\n        val|ue: a\n`;
    expect(await yaml.hover('a.eval.yaml', field)).toContain('The pattern.');
    expect(await yaml.hover('assay.config.yaml', 'thres|hold: 0.5\n')).toContain('The mean score');
    // Fields that many kinds share.
    for (const kind of ['regex', 'composite', 'llm_judge']) {
      const shared = `${CASE}      - type: ${kind}\n        wei|ght: 2\n`;
      expect(await yaml.hover('a.eval.yaml', shared)).toContain('Its weight in the mean.');
    }
  });
});

describe('no false alarm', () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  const check = Object.fromEntries(
    Object.entries(editorSchemas()).map(([name, schema]) => [name, ajv.compile({ ...schema, $id: name })]),
  ) as Readonly<Record<EditorSchema, ReturnType<Ajv['compile']>>>;

  /** What the schema says about a value, in short. */
  const objections = (schema: EditorSchema, value: unknown): readonly string[] => {
    check[schema](JSON.parse(printJson(value as Json)));
    return (check[schema].errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  function* valuesOf(path: string, text: string): Generator<readonly [EditorSchema, Json]> {
    if (path.endsWith('.jsonl')) {
      for (const line of text.replace(/^\uFEFF/, '').split('\n'))
        if (line.trim() !== '') yield ['dataset', JSON.parse(line) as Json];
      return;
    }
    const isConfig = /^(?:assay\.config|targets)\.ya?ml$/.test(basename(path));
    const value = valueOf(path, text, 'core');
    const detected = detectFormat(value);
    const format = 'format' in detected ? detected.format : 'sidecar';
    if (isConfig) yield ['config', value];
    else if (format === 'steps') yield ['steps', valueOf(path, text, 'pyyaml')];
    else yield [format as EditorSchema, value];
  }

  function valueOf(path: string, text: string, dialect: 'core' | 'pyyaml'): Json {
    const document = parseDocument(path, text, dialect);
    if ('source' in document) return document.value;
    throw new Error(`${path}: ${document.findings[0]?.message}`);
  }

  const examples = filesBelow('examples').filter(
    (path) =>
      /\.(?:yaml|json|jsonl)$/.test(path) && !/cluster|\/cassettes\//.test(path) && !/\/shop\//.test(path),
  );

  test('about an example, by ajv', () => {
    expect(examples.length).toBeGreaterThan(12);
    for (const path of examples)
      for (const [schema, value] of valuesOf(path, readFileSync(join(ROOT, path), 'utf8')))
        expect(objections(schema, value), path).toEqual([]);
  });

  test('about an example, by yaml-language-server', async () => {
    const names = examples.filter((path) => !path.endsWith('.jsonl'));
    expect(names.length).toBeGreaterThan(10);
    for (const path of names)
      expect(await problems(path, readFileSync(join(ROOT, path), 'utf8')), path).toEqual([]);
  });

  test('about a text of the conformance vectors that loads, by ajv', () => {
    const evalFiles = vectors<{ id: string; format: string; text: string }>('eval-files.json');
    const stepTests = vectors<{ name: string; file: string; content: unknown }>('testhaven.json');
    const texts = [
      ...evalFiles.map(({ format, text }) => ({ path: `suite.${format}`, text })),
      ...stepTests.flatMap(({ file, content }) =>
        typeof content === 'string' ? [{ path: file, text: content }] : [],
      ),
    ];
    let checked = 0;
    for (const { path, text } of texts) {
      const { suite, findings } = parseSuite({ path, text });
      // Where the loader warns about a value, a schema may object: it has no warnings.
      const isDoubtful = findings.some(({ code }) => ['type', 'never_equal', 'alias_ignored'].includes(code));
      if (suite === undefined || hasErrors(findings) || isDoubtful) continue;
      for (const [schema, value] of valuesOf(path, text)) {
        expect(objections(schema, value), text).toEqual([]);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(100);
  });

  test('about the example of any evaluator, claim, target or matcher', () => {
    for (const { kind, example } of kinds.evaluators)
      expect(objections('eval', evalFile({ type: kind, ...example })), kind).toEqual([]);
    for (const { key, example } of kinds.claims)
      for (const name of [key, ...(key.includes('<') ? [] : [`${key}_2`, `${key}[3]`])])
        expect(objections('steps', { input: 'x', assert: { [name]: example } }), name).toEqual([]);
    for (const { example } of MATCHERS.values())
      expect(objections('steps', { input: 'x', assert: { 'memory.a.b': example } })).toEqual([]);
    for (const { name, examples: targets } of TARGET_KINDS)
      expect(objections('config', { targets }), name).toEqual([]);
  });

  test('about custom evaluators, those of other tools, or rubrics', () => {
    const near = TYPES.flatMap((name) => [name.slice(0, -1), `${name}x`, `x${name.slice(1)}`]);
    for (const type of near) expect(objections('eval', evalFile({ type, price: 1 })), type).toEqual([]);
    for (const type of ['mentions_price', './checks.ts#tone', 'llm-grader', 'llm_grader', 'tone-of-voice'])
      expect(objections('eval', evalFile({ type, prompt: 'p', weight: 2 })), type).toEqual([]);
    for (const type of ['not-contains', 'starts-with', 'icontains', 'not-ends_with'])
      expect(objections('eval', evalFile({ type, value: 'v', metric: 'm' })), type).toEqual([]);
    expect(objections('eval', evalFile('answers politely'))).toEqual([]);
  });

  test('about a variable in place of any value', () => {
    const variable = '{{x}}';
    for (const { kind, example, schema } of kinds.evaluators)
      for (const [name, { verbatim }] of Object.entries(schema.fields))
        if (verbatim === undefined && name !== 'type')
          expect(
            objections('eval', evalFile({ type: kind, ...example, [name]: variable })),
            `${kind} ${name}`,
          ).toEqual([]);
    for (const name of [
      'threshold',
      'repeats',
      'memory',
      'tags',
      'skip',
      'only',
      'limits',
      'steps',
      'metadata',
    ])
      expect(objections('dataset', { id: 'a', input: 'x', vars: { x: 1 }, [name]: variable }), name).toEqual(
        [],
      );
    const gte = { 'memory.n': { $gte: variable, $lt: 9 }, tools_used: variable };
    expect(objections('steps', { each: [{ x: 1 }], input: 'x', assert: gte })).toEqual([]);
    // But a text with something around the variable stays a text.
    expect(objections('dataset', { id: 'a', input: 'x', threshold: '0.{{x}}' })).not.toEqual([]);
    expect(objections('dataset', { id: 'a', input: 'x', vars: variable })).not.toEqual([]);
  });
});

function evalFile(evaluator: Json): Json {
  return { evalcases: [{ id: 'a', input: 'x', evaluators: [evaluator] }] };
}

function vectors<T>(name: string): readonly T[] {
  const text = readFileSync(join(ROOT, 'test/fixtures', name), 'utf8');
  return (JSON.parse(text) as { vectors: T[] }).vectors;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
}
