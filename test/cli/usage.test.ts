import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listedOptions } from '../../src/cli/help.ts';
import { COMMANDS } from '../../src/cli/options.ts';
import { NOT_WATCHING } from '../../src/cli/run-options.ts';
import { runCli } from './run-cli.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const VALUES: Readonly<Record<string, string>> = { shard: '=1/2', queue: '=redis://127.0.0.1:1' };

describe('help and version', () => {
  test.each(['--version', '-v'])('%s', async (flag) => {
    expect(await runCli({}, [flag])).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  });

  test.each(['--help', '-h', 'help'])('%s lists every command', async (flag) => {
    const { stdout, exitCode } = await runCli({}, [flag]);
    expect(exitCode).toBe(0);
    for (const [name, { summary }] of Object.entries(COMMANDS))
      expect(stdout).toMatch(new RegExp(`^  ${name} .*${summary.slice(0, 20)}`, 'm'));
  });

  test('no command at all is exit code 2, with the help', async () => {
    const { stdout, exitCode } = await runCli({}, []);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('Usage: assay <command>');
  });

  test.each(Object.keys(COMMANDS))('%s --help shows its options and examples', async (name) => {
    for (const args of [
      [name, '--help'],
      [name, '-h'],
      ['help', name],
    ]) {
      const { stdout, stderr, exitCode } = await runCli({}, args);
      expect([stderr, exitCode]).toEqual(['', 0]);
      expect(stdout).toContain(COMMANDS[name]!.usage);
      expect(stdout).toContain('Examples:');
      for (const [option] of listedOptions(COMMANDS[name]!)) expect(stdout).toContain(`--${option}`);
    }
  });

  test('watch --help lists no option that watching refuses', async () => {
    const { stdout } = await runCli({}, ['watch', '--help']);
    const listed = new Set([...stdout.matchAll(/^ {2,6}(?:-\w, )?--([\w-]+)/gm)].map(([, name]) => name!));
    expect(listed.size).toBeGreaterThan(20);
    expect(NOT_WATCHING.filter((name) => listed.has(name))).toEqual([]);
    for (const name of NOT_WATCHING) {
      const { stderr, exitCode } = await runCli({}, ['watch', `--${name}${VALUES[name] ?? ''}`]);
      expect([stderr, exitCode]).toEqual([
        expect.stringContaining(`--${name} cannot be used while watching`),
        2,
      ]);
    }
  });
});

describe('usage errors are 2, on stderr, with a hint', () => {
  test.each([
    [['validate', '--jsn'], 'unknown option --jsn', 'did you mean --json?'],
    [['validate', '--stirct'], 'unknown option --stirct', 'did you mean --strict?'],
    [['show', '--zzz'], 'unknown option --zzz', '`assay show --help` lists the options'],
    [['show', '-x'], 'unknown option -x', '`assay show --help` lists the options'],
    [['validate', '--json=yes'], '--json takes no value', '`assay validate --help` lists the options'],
    [['validte'], 'unknown command validte', 'did you mean `validate`?'],
    [['zzz'], 'unknown command zzz', '`assay --help` lists the commands'],
    [['--zzz'], 'unknown option --zzz', '`assay --help` lists the commands'],
    [['constructor'], 'unknown command constructor', '`assay --help` lists the commands'],
    [['schema'], 'which format?', 'the formats are eval, dataset, sidecar, steps, config'],
    [['schema', 'evall'], 'unknown format "evall"', 'did you mean `eval`?'],
    [
      ['schema', '__proto__'],
      'unknown format "__proto__"',
      'the formats are eval, dataset, sidecar, steps, config',
    ],
  ])('%j', async (args, problem, hint) => {
    const { stdout, stderr, exitCode } = await runCli({}, args);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toBe(`assay: ${problem}\n  hint: ${hint}\n`);
  });

  test('everything after -- is a path', async () => {
    const { stdout } = await runCli({ '--json': '' }, ['validate', '--', '--json']);
    expect(stdout).toContain('--json:1:1 error');
  });
});

interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Record<string, JsonSchema>;
}

const printed = async (name: string) => JSON.parse((await runCli({}, ['schema', name])).stdout) as JsonSchema;

describe('assay schema', () => {
  test.each(['eval', 'dataset', 'steps'])(
    '%s is a draft-07 schema, and all its references resolve',
    async (name) => {
      const schema = await printed(name);
      expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
      const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/([^"]*)"/g)].map(([, path]) =>
        path!.split('/'),
      );
      if (name !== 'steps') expect(references.length).toBeGreaterThan(0);
      for (const path of references)
        expect(path.reduce<unknown>((node, key) => (node as JsonSchema)[key], schema)).toBeTypeOf('object');
    },
  );

  test('knows every field and every evaluator', async () => {
    const { properties, definitions } = (await printed('eval')) as {
      properties: Record<string, JsonSchema>;
      definitions: Record<string, JsonSchema>;
    };
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining([
        'evalcases',
        'tests',
        'cases',
        'execution',
        'evaluators',
        'threshold',
        'target',
        'tags',
        'dataset',
        '$schema',
      ]),
    );
    const branches = definitions['evaluator']!['allOf'] as { then: { title: string } }[];
    const titles = branches.map(({ then: { title } }) => title);
    expect(titles).toEqual(
      expect.arrayContaining([
        'contains',
        'regex',
        'tool_trajectory',
        'field_accuracy',
        'code_judge',
        'llm_judge',
        'rubric',
        'composite',
        'memory',
      ]),
    );
  });
});

test('an empty list of tests is reported', async () => {
  const suite = 'steps:\n  - input: hello\n    assert: { output.includes: hello }\n';
  const { stdout, stderr, exitCode } = await runCli({ 'a.test.yaml': suite }, ['run', '--list', '-t', 'zzz']);
  expect([stdout, exitCode]).toEqual(['', 2]);
  expect(stderr).toContain('no test is selected');
});
