import { expect, test } from 'vitest';
import { choice, count, duration, flag, list, optional, share, text } from './option.ts';
import { parseArguments } from './parse-arguments.ts';
import { RUN_OPTIONS } from './run-options.ts';

const TABLE = {
  quiet: flag('say little', { short: 'q' }),
  name: text('a name'),
  tag: list('tags'),
  resume: optional('go on'),
  workers: count('how many'),
  retry: count('how often', { min: 0 }),
  rate: share('how much'),
  timeout: duration('how long'),
  rule: choice('which', ['any', 'significant']),
};

test('each option is read with its type; absent flags are false', () => {
  const argv = ['a.yaml', '-q', '--tag', 'a', '--tag=b', '--workers', '3', '--retry=0', '--rate', '90%'];
  expect(parseArguments([...argv, '--timeout', '2m', '--rule=any', '--resume'], TABLE)).toEqual({
    positionals: ['a.yaml'],
    options: {
      quiet: true,
      tag: ['a', 'b'],
      workers: 3,
      retry: 0,
      rate: 0.9,
      timeout: 120_000,
      rule: 'any',
      resume: true,
    },
    given: [
      { name: 'quiet', word: '--quiet' },
      { name: 'tag', word: '--tag=a' },
      { name: 'tag', word: '--tag=b' },
      { name: 'workers', word: '--workers=3' },
      { name: 'retry', word: '--retry=0' },
      { name: 'rate', word: '--rate=90%' },
      { name: 'timeout', word: '--timeout=2m' },
      { name: 'rule', word: '--rule=any' },
      { name: 'resume', word: '--resume' },
    ],
  });
  expect(parseArguments([], TABLE)).toEqual({ positionals: [], options: { quiet: false }, given: [] });
  expect(parseArguments(['--resume=x'], TABLE)).toMatchObject({ options: { resume: 'x' } });
});

test.each([
  [['--workers', '0'], '--workers takes an integer of at least 1, not "0"', undefined],
  [['--workers', '1.5'], '--workers takes an integer of at least 1, not "1.5"', undefined],
  [['--retry', '-1'], '--retry takes an integer of at least 0, not "-1"', undefined],
  [['--rate', '2'], '--rate takes a share such as 0.9 or 90%, not "2"', 'did you mean 2%?'],
  [['--timeout', 'soon'], '--timeout takes a duration such as 90s, 2m or 500ms, not "soon"', undefined],
  [
    ['--rule', 'signifcant'],
    '--rule takes any or significant, not "signifcant"',
    'did you mean `significant`?',
  ],
  [['--workers', '1', '--workers=2'], '--workers is given twice', 'keep one of them: it takes one value'],
  [['--name=a', '--name', 'a'], '--name is given twice', 'keep one of them: it takes one value'],
  [['--resume', '--resume=x'], '--resume is given twice', 'keep one of them: it takes one value'],
  [['--name', ''], '--name needs a value', undefined],
  [['--name'], '--name needs a value', undefined],
  [['--quiet=yes'], '--quiet takes no value', undefined],
  [['--quiett'], 'unknown option --quiett', 'did you mean --quiet?'],
])('%j is refused', (argv, problem, hint) => {
  expect(parseArguments(argv, TABLE)).toEqual({ problem, hint });
});

test('a flag, and an option that takes several values, may be given twice', () => {
  expect(parseArguments(['-q', '--quiet', '--tag=a', '--tag=a'], TABLE)).toMatchObject({
    options: { quiet: true, tag: ['a', 'a'] },
  });
});

const run = (name: string, given: string) => {
  const parsed = parseArguments([`--${name}=${given}`], RUN_OPTIONS);
  return 'problem' in parsed ? parsed.problem : (parsed.options as Readonly<Record<string, unknown>>)[name];
};

test.each([
  ['repeats', 'often', '--repeats takes an integer of at least 1, or auto, not "often"'],
  ['confidence', '1', '--confidence takes a number from 0.5 to below 1, such as 0.95, not "1"'],
  ['max-repeats', '10001', '--max-repeats takes an integer from 1 to 10000, not "10001"'],
  ['min-pass-rate', '90', '--min-pass-rate takes a share such as 0.9 or 90%, not "90"'],
  ['max-flaky', '1.5', '--max-flaky takes a number of tests such as 2, or a share such as 5%, not "1.5"'],
  ['max-flaky', '100%', '--max-flaky takes a number of tests such as 2, or a share such as 5%, not "100%"'],
  ['max-cost', '-1', '--max-cost takes US dollars such as 2.50, not "-1"'],
  ['threshold', '1.1', '--threshold takes a number from 0 to 1, not "1.1"'],
  ['shard', '6/5', '--shard takes a part of a whole such as 2/5 (the second of five), not "6/5"'],
])('run --%s %s is refused', (name, given, problem) => {
  expect(run(name, given)).toBe(problem);
});

test('shares may be percentages; an integer for --max-flaky counts tests', () => {
  expect(run('min-pass-rate', '92.5%')).toBe(0.925);
  expect(run('max-flaky', '5%')).toBe(0.05);
  expect(run('max-flaky', '1')).toBe(1);
  expect(run('min-coverage', '.8')).toBe(0.8);
  expect(run('max-cost', '$2.50')).toBe(2.5);
  expect(run('repeats', 'auto')).toBe('auto');
});

test.each([
  [['-x'], 1, []],
  [['--bail'], 1, []],
  [['--bail', '2'], 2, []],
  [['--bail=2'], 2, []],
  [['--bail', 'a.yaml'], 1, ['a.yaml']],
  [['--bail', '2', 'a.yaml'], 2, ['a.yaml']],
  [['-x', '2'], 1, ['2']],
  [['2', '--bail'], 1, ['2']],
  [['--bail', '--', '2'], 1, ['2']],
])('%j: the number is optional', (argv, bail, positionals) => {
  expect(parseArguments(argv, RUN_OPTIONS)).toMatchObject({ positionals, options: { bail } });
});

test('a short option may have its value after an equals sign', () => {
  for (const argv of [['-t=x'], ['-tx'], ['-t', 'x']])
    expect(parseArguments(argv, RUN_OPTIONS)).toMatchObject({ options: { grep: 'x' } });
  expect(parseArguments(['-j=4', '-uvq'], RUN_OPTIONS)).toMatchObject({
    options: { workers: 4, update: true, verbose: true, quiet: true },
  });
});
