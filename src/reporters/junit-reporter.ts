import type { Finding } from '../model/finding.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { rowPlace } from './failure-text.ts';
import { firstLine } from './first-line.ts';
import type { Reporter, RunEnd } from './reporter.ts';
import { problemsOfRun, type RunProblem } from './run-problems.ts';
import { selectionLines } from './selection-lines.ts';
import {
  TestOutcomes,
  type AttemptOutcome,
  type OutcomeList,
  type ReportedOutcome,
} from './test-outcomes.ts';
import { writeParts } from './write-parts.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';
import { formatScore } from '../model/score-text.ts';

/**
 * JUnit XML: a testsuite per file, a testcase per test and target. A file that could not be read is an error of its
 * suite. Problems of the run are testcases of the suite `run`: somebody who reads only this file must not see
 * green.
 */
export function createReporter(context: BuiltInContext): Reporter {
  const outcomes = new TestOutcomes(context);
  const findings: Finding[] = [];
  return {
    onRunStart: (run) => outcomes.start(run),
    onFinding: (finding) => void findings.push(finding),
    onResult: (record) => outcomes.add(record),
    async onRunEnd(end) {
      outcomes.end(end);
      await writeParts(context.write, document({ outcomes, findings, end }));
    },
  };
}

interface Report {
  readonly outcomes: TestOutcomes;
  readonly findings: readonly Finding[];
  readonly end: RunEnd;
}

function* document({ outcomes, findings, end }: Report): Generator<string> {
  const titleOf = outcomes.titles();
  const suites = suitesOf({ outcomes, findings, end }).map((suite) => ({ suite, totals: totalsOf(suite) }));
  const all = suites.map(({ totals }) => totals.counts).reduce(add, NOTHING);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="assay"${xmlAttributes({ ...all, time: seconds(end.summary.duration_ms) })}>\n`;
  for (const { suite, totals } of suites) {
    yield suiteTag(suite.file, totals);
    for (const finding of suite.errors) yield findingCase(finding);
    for (const problem of suite.problems) yield problemCase(problem);
    for (const outcome of suite.tests) yield testCase(outcome, titleOf(outcome));
    const notes = [...suite.leftOut, ...suite.warnings.map(findingLine)];
    if (notes.length > 0) yield `    <system-err>${xmlText(notes.join('\n'))}</system-err>\n`;
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

interface JunitSuite {
  /** Empty for problems of the run itself. */
  readonly file: string;
  readonly tests: Iterable<ReportedOutcome> & Pick<OutcomeList, 'length'>;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly problems: readonly RunProblem[];
  /** What the run left out, one line per reason. */
  readonly leftOut: readonly string[];
}

function suitesOf({ outcomes, findings, end }: Report): readonly JunitSuite[] {
  const problems = problemsOfRun(end);
  const tests = outcomes.byFile();
  const leftOut = selectionLines(end.summary.selection);
  const ofRun = problems.length + leftOut.length > 0 ? [''] : [];
  const files = new Set([...tests.keys(), ...findings.map(({ file }) => file), ...ofRun]);
  return [...files].map((file) => {
    const own = findings.filter((finding) => finding.file === file);
    return {
      file,
      tests: tests.get(file) ?? [],
      errors: own.filter(({ severity }) => severity === 'error'),
      warnings: own.filter(({ severity }) => severity === 'warning'),
      problems: file === '' ? problems : [],
      leftOut: file === '' ? leftOut : [],
    };
  });
}

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

const NOTHING: Counts = { tests: 0, failures: 0, errors: 0, skipped: 0 };

interface Totals {
  readonly counts: Counts;
  readonly durationMs: number;
  /** When the first test started; undefined without tests. */
  readonly startedAt: string | undefined;
}

/** It comes before the tests, so they are counted first. */
function totalsOf({ tests, errors, problems }: JunitSuite): Totals {
  const verdicts = { passed: 0, failed: 0, error: errors.length, skipped: 0 };
  let durationMs = 0;
  let startedAt: string | undefined;
  for (const { verdict } of problems) verdicts[verdict]++;
  for (const { verdict, duration_ms, started_at } of tests) {
    verdicts[verdict]++;
    durationMs += duration_ms;
    // Without a time zone, as common schemas require; it is UTC.
    const begun = started_at.slice(0, 19);
    if (startedAt === undefined || begun < startedAt) startedAt = begun;
  }
  return {
    counts: {
      tests: tests.length + errors.length + problems.length,
      failures: verdicts.failed,
      errors: verdicts.error,
      skipped: verdicts.skipped,
    },
    durationMs,
    startedAt,
  };
}

function add(a: Counts, b: Counts): Counts {
  return {
    tests: a.tests + b.tests,
    failures: a.failures + b.failures,
    errors: a.errors + b.errors,
    skipped: a.skipped + b.skipped,
  };
}

function suiteTag(file: string, { counts, durationMs, startedAt }: Totals): string {
  const attributes = {
    name: file === '' ? 'run' : file,
    file: file === '' ? undefined : file,
    ...counts,
    time: seconds(durationMs),
    timestamp: startedAt,
  };
  return `  <testsuite${xmlAttributes(attributes)}>\n`;
}

function testCase(outcome: ReportedOutcome, name: string): string {
  const { file, line, duration_ms, verdict, failure, skip_reason } = outcome;
  const attributes = { name, classname: file, file, line, time: seconds(duration_ms) };
  const body = [properties(outcome)];
  if (verdict === 'skipped') body.push(`      <skipped${xmlAttributes({ message: skip_reason })}/>\n`);
  if (failure !== undefined) {
    const tag = verdict === 'failed' ? 'failure' : 'error';
    const { problem, text, transcript } = failure;
    const message = firstLine(`${problem.name}: ${problem.message}`);
    body.push(`      <${tag}${xmlAttributes({ message, type: problem.name })}>${xmlText(text)}</${tag}>\n`);
    if (transcript !== '') body.push(`      <system-out>${xmlText(transcript)}</system-out>\n`);
  }
  return `    <testcase${xmlAttributes(attributes)}>\n${body.join('')}    </testcase>\n`;
}

function properties({ target, row, attempts }: ReportedOutcome): string {
  const rows = [
    ['target', target],
    ...(row === undefined ? [] : [['row', rowPlace(row)]]),
    ['attempts', String(attempts.length)],
    ...attempts.map((attempt) => [`attempt ${attempt.repeat}`, attemptText(attempt)]),
  ];
  const tags = rows.map(([name, value]) => `        <property${xmlAttributes({ name, value })}/>\n`);
  return `      <properties>\n${tags.join('')}      </properties>\n`;
}

function attemptText({ verdict, score, retries, duration_ms, cost_usd }: AttemptOutcome): string {
  const parts = [
    `${verdict}`,
    `${seconds(duration_ms)} s`,
    score === undefined ? '' : `score ${formatScore(score, { digits: 4 })}`,
    retries === 0 ? '' : `${retries} ${retries === 1 ? 'retry' : 'retries'}`,
    cost_usd === undefined ? '' : `${cost_usd} USD`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function findingCase(finding: Finding): string {
  const { file, line, code, message, hint } = finding;
  const attributes =
    file === ''
      ? { name: code, classname: 'run' }
      : { name: `${code} at line ${line}`, classname: file, file, line };
  const text = `${findingLine(finding)}${hint === undefined ? '' : `\nhint: ${hint}`}`;
  return (
    `    <testcase${xmlAttributes({ ...attributes, time: '0.000' })}>\n` +
    `      <error${xmlAttributes({ message: firstLine(message), type: code })}>${xmlText(text)}</error>\n` +
    '    </testcase>\n'
  );
}

function problemCase({ code, target, title, message, verdict }: RunProblem): string {
  const name = target === undefined ? code : `${code} [${target}]`;
  const tag = verdict === 'failed' ? 'failure' : 'error';
  const text = xmlText(`${title}: ${message}`);
  return (
    `    <testcase${xmlAttributes({ name, classname: 'run', time: '0.000' })}>\n` +
    `      <${tag}${xmlAttributes({ message: firstLine(message), type: code })}>${text}</${tag}>\n` +
    '    </testcase>\n'
  );
}

function findingLine({ severity, file, line, column, message, code }: Finding): string {
  return `${file}:${line}:${column} ${severity} ${message} (${code})`;
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
