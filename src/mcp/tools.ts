import * as z from 'zod';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { targetPlaces } from '../suites/config/target-places.ts';
import { withoutCommands } from '../show/reporters/agent-reporter.ts';
import type { Redactor } from '../base/match/redact-secrets.ts';
import type { Finding } from '../base/model/finding.ts';
import type { BuiltInContext } from '../show/reporters/built-in-context.ts';
import type { AssayResult, RunAssay } from './assay-process.ts';
import { boundedLines, boundedText } from './bounded-text.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { latestRuns, projectPaths, projectRun, recentRuns } from './project-paths.ts';
import { Refusal } from './refusal.ts';
import { allowedArguments, type RunPermission } from './run-permission.ts';
import { terseTest, type ShownTest } from './terse-test.ts';
import { testDetails } from './test-details.ts';

export interface ToolHost {
  readonly root: string;
  readonly assay: RunAssay;
  readonly permission: RunPermission;
  readonly redactor: Redactor;
  readonly excerptAt: BuiltInContext['excerptAt'];
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** It changes nothing. */
  readonly isReading: boolean;
  call(input: z.infer<Input>, signal: AbortSignal): Promise<string>;
}

const text = z.string().max(1000);
/** What becomes part of an argument of a command. */
const word = text.min(1).refine((value) => !value.includes('\0'), 'must not contain a NUL character');
const PATHS = z
  .array(text.min(1))
  .max(100)
  .optional()
  .describe(
    'Suite files, folders, globs or parts of file names; file.yaml:12 is the test at line 12. Default: all.',
  );
const GREP = word.optional().describe('Only tests whose id or description contains or matches this.');
const RUN = text.min(1).optional().describe('The id of a run, or latest (default).');

/** What the server offers. */
export function createTools(host: ToolHost): readonly Tool[] {
  return [
    validateTool(host),
    listTool(host),
    runTool(host),
    failuresTool(host),
    showTool(host),
    compareTool(host),
  ];
}

/** Keeps the type of a tool's input where it is written, and drops it in the list. */
function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}

function validateTool({ root, assay }: ToolHost): Tool {
  return tool({
    name: 'validate',
    title: 'Check suites',
    description:
      'Checks suite files and the config without running anything: what is wrong, where, and what to do.',
    input: z.strictObject({ paths: PATHS }),
    isReading: true,
    async call({ paths = [] }, signal) {
      const result = await assay(['validate', '--json', '--', ...projectPaths(paths, root)], signal);
      const { findings, summary } = parsed<Validation>(result);
      const { files, tests, errors, warnings } = summary;
      const lines = findings.map(findingLine);
      const head = `${files} files, ${tests} tests: ${errors} errors, ${warnings} warnings`;
      return boundedLines([head, ...lines], 'name fewer paths');
    },
  });
}

interface Validation {
  readonly findings: readonly Finding[];
  readonly summary: {
    readonly files: number;
    readonly tests: number;
    readonly errors: number;
    readonly warnings: number;
  };
}

function findingLine({ severity, file, line, column, code, message, hint }: Finding): string {
  const help = hint === undefined ? '' : `; ${hint}`;
  return `${severity} ${file}:${line}:${column} ${code}: ${message}${help}`;
}

function listTool({ root, assay }: ToolHost): Tool {
  return tool({
    name: 'list',
    title: 'List tests',
    description: 'Lists the tests of the project: file:line, id and description.',
    input: z.strictObject({ paths: PATHS, grep: GREP }),
    isReading: true,
    async call({ paths = [], grep }, signal) {
      const { tests, findings } = await listed({ root, assay }, { paths, grep }, signal);
      const lines = tests.map(({ file, line, test, description }) =>
        `${file}:${line} ${test} ${description ?? ''}`.trimEnd(),
      );
      const problems = findings.map(findingLine);
      return boundedLines([`${tests.length} tests`, ...problems, ...lines], 'narrow it with paths or grep');
    },
  });
}

interface Listing {
  readonly tests: readonly ListedTest[];
  readonly findings: readonly Finding[];
}

interface ListedTest {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly description?: string;
}

async function listed(
  { root, assay }: Pick<ToolHost, 'root' | 'assay'>,
  { paths, grep }: { readonly paths: readonly string[]; readonly grep?: string | undefined },
  signal: AbortSignal,
): Promise<Listing> {
  const filter = grep === undefined ? [] : [`--grep=${grep}`];
  const args = ['run', '--list', '--reporter=json', ...filter, '--', ...projectPaths(paths, root)];
  return parsed<Listing>(await assay(args, signal));
}

function runTool({ root, assay, permission }: ToolHost): Tool {
  const runs = new OneAtATime();
  return tool({
    name: 'run',
    title: 'Run tests',
    description:
      'Runs tests against the agent, as far as the config allows it (`mcp` block), and returns what failed. This may call models and cost money.',
    input: z.strictObject({
      paths: PATHS,
      grep: GREP,
      target: word.optional().describe('A target of the config, or several: a,b.'),
      last_failed: z.boolean().optional().describe('Only tests that did not pass when they last ran.'),
      repeats: z.int().min(1).max(100).optional().describe('How often each test runs.'),
    }),
    isReading: false,
    async call({ paths = [], grep, target, last_failed, repeats }, signal) {
      const kept = await allowedArguments(permission, { paths: projectPaths(paths, root), target });
      const options = [
        '--reporter=agent',
        ...(grep === undefined ? [] : [`--grep=${grep}`]),
        ...(last_failed === true ? ['--last-failed'] : []),
        ...(repeats === undefined ? [] : [`--repeats=${repeats}`]),
      ];
      const what = paths.length === 0 ? 'all allowed tests' : paths.join(' ');
      const result = await runs.run(what, () =>
        assay(['run', ...options, ...kept], signal, permission.fixed),
      );
      return reportAnswer(result);
    },
  });
}

function failuresTool({ root, assay }: ToolHost): Tool {
  return tool({
    name: 'failures',
    title: 'Failures of a run',
    description: 'What failed in a recorded run: file:line, what was expected, what came. Runs nothing.',
    input: z.strictObject({ run: RUN }),
    isReading: true,
    async call({ run = 'latest' }, signal) {
      const { runId } = projectRun(run, root);
      const result = await assay(['report', '--reporter=agent', '--', runId], signal);
      const newest = latestRuns(root)[0]?.runId ?? runId;
      if (run !== 'latest' || newest === runId) return reportAnswer(result);
      return `no test ran in the newest run, ${newest}; this is the run before it\n${reportAnswer(result)}`;
    },
  });
}

function showTool(host: ToolHost): Tool {
  const { assay } = host;
  return tool({
    name: 'show',
    title: 'Show a test',
    description:
      'Everything about one test: how Assay understands it, and what happened when it last ran, with the conversation. Runs nothing.',
    input: z.strictObject({
      test: text.min(1).describe('file.yaml:12 (any line of the test), or a file with one test.'),
      id: text.min(1).optional().describe('The id of the test, if several are at this place.'),
      run: RUN,
    }),
    isReading: true,
    async call({ test, id, run }, signal) {
      const { tests, findings } = await listed(host, { paths: [test] }, signal);
      const found = id === undefined ? tests : tests.filter((one) => one.test === id);
      const [first] = found;
      if (first === undefined)
        throw new Refusal(
          [`there is no such test at ${test}`, ...findings.map(findingLine)].join('\n'),
          'the tool `list` shows the tests with their lines',
        );
      if (found.length > 1)
        return boundedLines(
          [
            `${found.length} tests are here: name a line, or one as id`,
            ...found.map((one) => `${one.file}:${one.line} ${one.test}`),
          ],
          'name a line',
        );
      const model = await modelOf(first, assay, signal);
      const result = await recordedResult(first, run, host);
      const agents = await targetLines(first.file);
      return boundedText(
        [`${first.file}:${first.line} ${first.test}`, model, ...agents, '', result].join('\n'),
        'read the file, or use `assay report` in a shell',
      );
    },
  });
}

async function modelOf({ file, test }: ListedTest, assay: RunAssay, signal: AbortSignal): Promise<string> {
  const shown = await assay(['show', '--json', '--', file], signal);
  if (shown.stopped === 'flooded') return 'The file is too large to show the test here: read it.';
  const { suites } = parsed<{ suites: { tests: ShownTest[] }[] }>(shown);
  const own = suites.flatMap(({ tests }) => tests).find(({ id }) => id === test);
  return own === undefined ? '' : boundedText(terseTest(own), 'read the file', 8000);
}

/** Where the agents are defined that the test may run with: a failure is often theirs. */
async function targetLines(file: string): Promise<readonly string[]> {
  const places = await targetPlaces(file);
  return [...places]
    .slice(0, 10)
    .map(([name, place]) => `target ${name}: ${relative('', place.file)}:${place.line}`);
}

async function recordedResult(
  test: ListedTest,
  run: string | undefined,
  { root, redactor, excerptAt }: ToolHost,
): Promise<string> {
  const runs = run === undefined ? latestRuns(root) : [projectRun(run, root)];
  const details = await testDetails(runs, test, { root, redactor, excerptAt });
  if (details !== undefined) return details;
  return run === undefined
    ? 'It has not run yet.\n'
    : `The run ${runs[0]!.runId} has no result of this test.\n`;
}

function compareTool({ root, assay }: ToolHost): Tool {
  return tool({
    name: 'compare',
    title: 'Compare two runs',
    description: 'What changed from one run to another, and what may be chance.',
    input: z.strictObject({
      before: text.min(1).describe('The id of a run, or a baseline file.'),
      after: text.min(1).optional().describe('The id of a run, or latest (default).'),
    }),
    isReading: true,
    async call({ before, after = 'latest' }, signal) {
      const sides = [before, after].map((name) => comparedSide(name, root));
      if (sides[0] === sides[1])
        throw new Refusal(
          `${sides[0]} would be compared with itself`,
          `name an earlier run: ${recentRuns(root)}`,
        );
      const result = await assay(['compare', '--', ...sides], signal);
      return answer(result);
    },
  });
}

function comparedSide(name: string, root: string): string {
  if (!name.endsWith('.json')) return projectRun(name, root).runId;
  const [path] = projectPaths([name], root);
  if (statSync(path!, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new Refusal(`${JSON.stringify(name)} is a folder`, 'name a run by its id, or a baseline file');
  return path!;
}

/** What the reporter for coding agents printed. */
function reportAnswer(result: AssayResult): string {
  const isBad = /exit code [13]$/m.test(result.stdout);
  const more = 'The tool `show` shows one in full: give it file:line, and the id for a data row.';
  return answer({ ...result, stdout: withoutCommands(result.stdout) }, isBad ? more : undefined);
}

/** What a command printed for people, with its complaints. */
function answer(result: AssayResult, more?: string): string {
  const { stdout, stderr, stopped, exitCode } = result;
  if (stopped === 'aborted') throw new Refusal('cancelled', 'nothing more runs; call the tool again');
  if (stdout.trim() === '' && exitCode !== 0) throw new Refusal(complaint(result));
  const complaints = stderr.trim() === '' ? '' : `\n${boundedText(stderr.trim(), 'see the run', 4000)}`;
  return boundedText(`${stdout.trimEnd()}${complaints}${more === undefined ? '' : `\n${more}`}`, 'narrow it');
}

function parsed<Printed>(result: AssayResult): Printed {
  try {
    return JSON.parse(result.stdout) as Printed;
  } catch {
    throw new Refusal(complaint(result));
  }
}

function complaint({ stderr, stopped, exitCode }: AssayResult): string {
  if (stopped === 'aborted') return 'cancelled';
  if (stopped === 'flooded') return 'the answer is too large: narrow it with paths';
  const said = stderr.trim().replaceAll(/^assay: /gm, '');
  return said === '' ? `it ended with exit code ${exitCode}` : boundedText(said, 'see the file', 4000);
}
