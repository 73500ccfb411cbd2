import { jsonMatches } from '../../base/match/json-matches.ts';
import { comparable } from '../../base/match/matchers/comparable.ts';
import type { AssertionOutcome } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import { duration } from '../../base/schema/duration.ts';
import { list } from '../../base/schema/list.ts';
import { number, text } from '../../base/schema/values.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import { unmeasured } from '../unmeasured.ts';
import { NO_WORKSPACE } from './files.ts';

interface CommandParameters {
  readonly command: readonly string[];
  readonly exit_code?: number;
  readonly stdout?: Json;
  readonly stderr?: Json;
  readonly json?: Json;
  readonly timeout?: number;
}

const DEFAULT_LIMIT_MS = 120_000;

export const command = defineEvaluator({
  kind: 'command',
  doc: 'Runs a program in the workspace, such as its tests, and checks how it ends. Needs `--allow-scripts`.',
  example: { command: ['node', '--test'] },
  reads: [],
  isBinary: true,
  fields: {
    command: {
      schema: list(text(), { nonEmpty: true, label: 'list: a program and its arguments' }),
      doc: 'The program and its arguments. It is looked for on your PATH, without a shell.',
      missing: 'missing_command',
      verbatim: 'all',
    },
    exit_code: { schema: number({ min: 0, max: 255, integer: true }), doc: 'Its exit code. Default: 0.' },
    stdout: { schema: comparable(), doc: 'What it prints, without the last line break: text or a matcher.' },
    stderr: { schema: comparable(), doc: 'The same for its errors.' },
    json: { schema: comparable(), doc: 'It prints JSON that equals or matches this.', null: 'value' },
    timeout: { schema: duration({ min: 1 }), doc: 'How long it may take. Default: 2m.' },
  },
  evaluate: runCommand,
  async preflight({ command: argv }, tools) {
    const refused = (await tools.findProgram({ script: argv })).filter(
      ({ code }) => code === 'scripts_not_allowed',
    );
    // Files that it names are in the workspace, which is not there yet.
    return refused.length > 0 || argv[0]!.includes('/') ? refused : tools.findProgram({ script: [argv[0]!] });
  },
  needs: ({ command: argv }) => ({ programs: [{ script: argv }] }),
});

async function runCommand(
  parameters: CommandParameters,
  _evidence: unknown,
  { workspace, signal, mayRunPrograms }: EvaluationTools,
): Promise<AssertionOutcome> {
  if (workspace === undefined) return unmeasured(NO_WORKSPACE);
  const {
    command: argv,
    exit_code = 0,
    stdout,
    stderr,
    json,
    timeout: timeoutMs = DEFAULT_LIMIT_MS,
  } = parameters;
  const name = argv.join(' ');
  if (!(await mayRunPrograms?.()))
    return unmeasured(`${name} may not run: run with --allow-scripts or set scripts.allow in the config`);
  let end;
  try {
    end = await workspace.run(argv, { timeoutMs, signal });
  } catch (error) {
    return unmeasured(`${name} cannot be started: ${(error as Error).message}`);
  }
  if (end.ended === 'aborted') return unmeasured(`${name} was stopped`);
  if (end.ended === 'late') return { score: 0, message: `${name} took longer than ${timeoutMs / 1000} s` };
  if (end.ended !== 'exited') return { score: 0, message: `${name} printed too much` };
  const misses: string[] = [];
  if (end.code !== exit_code)
    misses.push(
      `${name} ${end.code === null ? `was killed by ${end.signal}` : `exited with code ${end.code}`}, not ${exit_code}`,
    );
  if (stdout !== undefined && !prints(stdout, end.stdout))
    misses.push('its output differs from what is expected');
  if (stderr !== undefined && !prints(stderr, end.stderr))
    misses.push('its errors differ from what is expected');
  if (json !== undefined && !printsJson(json, end.stdout))
    misses.push('its output is not the JSON that is expected');
  const held = misses.length === 0;
  return {
    score: held ? 1 : 0,
    message: held ? `${name} ended as expected` : misses.join('; '),
    ...(stdout === undefined && json === undefined ? {} : { expected: stdout ?? json! }),
    actual: lastPart(
      stdout === undefined && json === undefined ? `${end.stdout}${end.stderr}` : withoutEnd(end.stdout),
    ),
  };
}

function prints(expected: Json, printed: string): boolean {
  return jsonMatches(typeof expected === 'string' ? withoutEnd(expected) : expected, withoutEnd(printed));
}

function withoutEnd(printed: string): string {
  return printed.replace(/\r?\n$/, '');
}

function printsJson(expected: Json, printed: string): boolean {
  try {
    return jsonMatches(expected, parseJson(printed));
  } catch {
    return false;
  }
}

/** Of what tests print, the end says what failed. */
function lastPart(printed: string): string {
  return printed.length <= 4000 ? printed : `…${printed.slice(-4000)}`;
}
