import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../test/formats/temp-folder.ts';
import { RunDirectory, type RunEnding } from '../../runs/journal/run-directory.ts';
import type { GateRules } from '../../base/model/gate.ts';
import { gateRules, otherRules, rulesOf, tooFewRepeats } from './gate-rules.ts';

const CONFIG = { gates: { min_pass_rate: 0.5, max_flaky: 1, min_coverage: 0.4 } };

test('the command line overrides the config, and the config overrides the default', () => {
  expect(gateRules({}, {})).toEqual({ min_coverage: 0.9 });
  expect(gateRules({}, CONFIG)).toEqual({ min_pass_rate: 0.5, max_flaky: 1, min_coverage: 0.4 });
  expect(gateRules({ minPassRate: 0, maxFlaky: 0, minCoverage: 0 }, CONFIG)).toEqual({
    min_pass_rate: 0,
    max_flaky: 0,
    min_coverage: 0,
  });
});

test('adaptive repeats have their own rules', () => {
  const defaults = { confidence: 0.95, max_repeats: 50, pass_at_least: 0.8 };
  expect(gateRules({ repeats: 'auto' }, {}).adaptive).toEqual(defaults);
  expect(gateRules({}, { repeats: 'auto' }).adaptive).toEqual(defaults);
  expect(gateRules({ repeats: 3 }, { repeats: 'auto' }).adaptive).toBeUndefined();
  expect(gateRules({}, { repeats: 'auto', confidence: 0.9, max_repeats: 20, ...CONFIG }).adaptive).toEqual({
    confidence: 0.9,
    max_repeats: 20,
    pass_at_least: 0.5,
  });
  const asked = { repeats: 'auto', confidence: 0.8, maxRepeats: 7, minPassRate: 0 } as const;
  expect(gateRules(asked, { confidence: 0.9, max_repeats: 20 }).adaptive).toEqual({
    confidence: 0.8,
    max_repeats: 7,
    // A rate of 0 asks for nothing.
    pass_at_least: 0.8,
  });
});

/** A run that ended with these rules. */
function runWith(root: string, name: string, rules: GateRules | undefined): RunDirectory {
  const run = new RunDirectory(join(root, name));
  mkdirSync(run.path);
  const counts = {
    tests: 0,
    attempts: 0,
    passed: 0,
    failed: 0,
    error: 0,
    skipped: 0,
    not_started: 0,
    duration_ms: 0,
  };
  const summary = { ...counts, interrupted: false, gates: [], rules };
  run.end({ run_id: name, exit_code: 0, summary } as unknown as RunEnding);
  return run;
}

test('runs can be merged only if they have the same rules', () => {
  const root = createTempFolder();
  const strict = { min_coverage: 0.9, min_pass_rate: 1 };
  const one = runWith(root, 'one', strict);
  const same = runWith(root, 'same', { min_pass_rate: 1, min_coverage: 0.9 });
  const other = runWith(root, 'other', { min_coverage: 0.9 });
  expect(rulesOf([])).toBeUndefined();
  expect(rulesOf([one, other])).toEqual(strict);
  expect(otherRules([])).toBeUndefined();
  expect(otherRules([one, same])).toBeUndefined();
  expect(otherRules([one, same, other])).toMatchObject({
    code: 'rules_differ',
    severity: 'error',
    file: other.path,
    message: expect.stringMatching(/ one: \{"min_coverage":0.9\}, not \{.*"min_pass_rate":1/) as string,
  });
});

test.each([
  [{ confidence: 0.95, max_repeats: 50, pass_at_least: 0.8 }, undefined],
  [{ confidence: 0.95, max_repeats: 3, pass_at_least: 0.8 }, /it takes \d+: .*--max-repeats/],
  [{ confidence: 0.95, max_repeats: 10_000, pass_at_least: 1 }, /^lower --min-pass-rate/],
  [undefined, undefined],
])('%j', (adaptive, hint) => {
  const finding = tooFewRepeats(adaptive);
  if (hint === undefined) expect(finding).toBeUndefined();
  else {
    expect(finding).toMatchObject({ code: 'too_few_repeats', severity: 'warning' });
    expect(finding!.hint).toMatch(hint);
  }
});

test('the smallest sufficient number of repeats is accepted', () => {
  const needed = Number(
    /it takes (\d+)/.exec(tooFewRepeats({ confidence: 0.95, max_repeats: 3, pass_at_least: 0.8 })!.hint!)![1],
  );
  const rules = { confidence: 0.95, pass_at_least: 0.8 };
  expect(tooFewRepeats({ ...rules, max_repeats: needed })).toBeUndefined();
  expect(tooFewRepeats({ ...rules, max_repeats: needed - 1 })).toBeDefined();
});
