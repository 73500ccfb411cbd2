import type { Finding } from '../../base/model/finding.ts';
import type { Verdict } from '../../base/model/record.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { rowPlace } from './failure-text.ts';
import { firstLine } from './first-line.ts';
import type { AttemptOutcome, ReportedOutcome } from './reported-outcome.ts';
import type { Reporter, RunEnd } from './reporter.ts';
import { problemsOfRun, type RunProblem } from './run-problems.ts';
import { selectionLines } from './selection-lines.ts';
import { outcomesOf, type Outcomes } from './shared-outcomes.ts';
import { escapeLine } from './terminal-text.ts';
import { writeParts } from './write-parts.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';
import { formatScore } from '../../base/model/score-text.ts';

/**
 * JUnit XML: a testsuite per file, a testcase per test and target. A file that could not be read is an error of its
 * suite. Problems of the run are testcases of the suite `run`: somebody who reads only this file must not see
 * green.
 */
export function createReporter(context: BuiltInContext): Reporter {
  const outcomes = outcomesOf(context);
  const findings: Finding[] = [];
  return {
    onRunStart: (run) => outcomes.start(run),
    onFinding: (finding) => void findings.push(finding),
    onResult: (record) => outcomes.add(record),
    onRunEnd: (end) =>
      outcomes.report(end, (all) => writeParts(context.write, document({ outcomes: all, findings, end }))),
  };
}

interface Report {
  readonly outcomes: Outcomes;
  readonly findings: readonly Finding[];
  readonly end: RunEnd;
}

function* document(report: Report): Generator<string> {
  const { outcomes, end } = report;
  const titleOf = outcomes.titles();
  const suites = suitesOf(report);
  const all = suites.map(({ totals }) => totals.counts).reduce(add, NOTHING);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="assay"${xmlAttributes({ ...all, time: seconds(end.summary.duration_ms) })}>\n`;
  const tests = outcomes.all();
  let next = tests.next();
  for (const { file, errors, problems, warnings, leftOut, totals } of suites) {
    yield suiteTag(file, totals);
    for (const finding of errors) yield findingCase(finding);
    for (const problem of problems) yield problemCase(problem);
    // The suites with tests come first, in the order of the tests.
    for (; next.done !== true && next.value.file === file; next = tests.next())
      yield testCase(next.value, titleOf(next.value));
    const notes = [...leftOut, ...warnings.map(findingLine)];
    if (notes.length > 0) yield `    <system-err>${xmlText(notes.join('\n'))}</system-err>\n`;
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

interface JunitSuite {
  /** Empty for problems of the run itself. */
  readonly file: string;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly problems: readonly RunProblem[];
  /** What the run left out, one line per reason. */
  readonly leftOut: readonly string[];
  /** They come before the tests, so they are counted first. */
  readonly totals: Totals;
}

function suitesOf({ outcomes, findings, end }: Report): readonly JunitSuite[] {
  const problems = problemsOfRun(end);
  const tests = totalsByFile(outcomes.all());
  const leftOut = selectionLines(end.summary.selection);
  const ofRun = problems.length + leftOut.length > 0 ? [''] : [];
  const files = new Set([...tests.keys(), ...findings.map(({ file }) => file), ...ofRun]);
  return [...files].map((file) => {
    const own = findings.filter((finding) => finding.file === file);
    const errors = own.filter(({ severity }) => severity === 'error');
    const ofSuite = file === '' ? problems : [];
    return {
      file,
      errors,
      warnings: own.filter(({ severity }) => severity === 'warning'),
      problems: ofSuite,
      leftOut: file === '' ? leftOut : [],
      totals: withProblems(tests.get(file) ?? NO_TESTS, errors, ofSuite),
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

const NO_TESTS: Totals = { counts: NOTHING, durationMs: 0, startedAt: undefined };

function totalsByFile(outcomes: Iterable<ReportedOutcome>): ReadonlyMap<string, Totals> {
  const files = new Map<string, Totals>();
  for (const { file, verdict, duration_ms, started_at } of outcomes) {
    const { counts, durationMs, startedAt } = files.get(file) ?? NO_TESTS;
    // Without a time zone, as common schemas require; it is UTC.
    const begun = started_at.slice(0, 19);
    files.set(file, {
      counts: add(counts, COUNTED[verdict]),
      durationMs: durationMs + (duration_ms ?? 0),
      startedAt: startedAt === undefined || begun < startedAt ? begun : startedAt,
    });
  }
  return files;
}

const COUNTED: Readonly<Record<Verdict, Counts>> = {
  passed: { ...NOTHING, tests: 1 },
  failed: { ...NOTHING, tests: 1, failures: 1 },
  error: { ...NOTHING, tests: 1, errors: 1 },
  skipped: { ...NOTHING, tests: 1, skipped: 1 },
  not_graded: { ...NOTHING, tests: 1, skipped: 1 },
};

function withProblems(totals: Totals, errors: readonly Finding[], problems: readonly RunProblem[]): Totals {
  const wrong = [...errors.map(() => COUNTED.error), ...problems.map(({ verdict }) => COUNTED[verdict])];
  return { ...totals, counts: wrong.reduce(add, totals.counts) };
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
  const attributes = {
    name,
    classname: file,
    file,
    line,
    time: duration_ms === undefined ? undefined : seconds(duration_ms),
  };
  const body = [properties(outcome)];
  if (verdict === 'not_graded') body.push('      <skipped message="not graded"/>\n');
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
    duration_ms === undefined ? '' : `${seconds(duration_ms)} s`,
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
  return `${escapeLine(file)}:${line}:${column} ${severity} ${message} (${code})`;
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
