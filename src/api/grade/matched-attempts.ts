import { noReplies, recordedReplies } from '../../agents/recorded-replies.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { Finding } from '../../base/model/finding.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { contentOf, type Message } from '../../base/model/message.ts';
import type { AttemptRecord, StepRecord } from '../../base/model/record.ts';
import type { Test } from '../../base/model/test.ts';
import { attemptId, testKey } from '../../base/model/test-key.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import { fingerprint } from '../../run/plan/fingerprint.ts';
import type { PlannedAttempt } from '../../run/plan/plan.ts';
import { RecordFile } from '../../runs/journal/record-file.ts';
import { testsOfJournal } from '../../runs/journal/record-places.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';

/** `id`, `input`, or `metadata.NAME`; undefined: the id, then the input. */
type MatchRule = string | undefined;

export interface MatchOptions {
  readonly run: RunDirectory;
  readonly suites: readonly OpenSuite[];
  readonly rule: MatchRule;
  readonly threshold: number | undefined;
  readonly redactor: Redactor;
  readonly find: (finding: Finding) => void;
}

/** The tests of suites, each with the recordings it is about. What matches nothing is reported, on both sides. */
export async function* matchedAttempts(options: MatchOptions): AsyncGenerator<PlannedAttempt> {
  const { run, suites, rule, threshold, redactor, find } = options;
  const recordings = new Recordings(run, redactor);
  const matched = new Set<number>();
  const repeats = new Map<string, number>();
  let tests = 0;
  const unmatched: PlannedAttempt[] = [];
  for (const { file, batches } of suites)
    for await (const batch of batches())
      for (const test of batch) {
        tests++;
        const plan = {
          file,
          test,
          skipped: test.skip === undefined ? undefined : test.skip === true ? '' : test.skip,
        };
        const numbers = recordings.find(test, rule);
        for (const number of numbers) {
          matched.add(number);
          const record = recordings.at(number);
          const { target, source, foreign_scores } = record;
          const key = testKey({ file, test: test.id, target });
          const repeat = Math.max(record.repeat, (repeats.get(key) ?? 0) + 1);
          repeats.set(key, repeat);
          yield {
            ...plan,
            test: asRecorded(test, record),
            id: attemptId(key, repeat),
            target,
            repeat,
            replies: repliesFor(test, record),
            fingerprint: fingerprint(test, { target, threshold }),
            repliesOf: record,
            imported: { source, foreign_scores },
          };
        }
        if (numbers.length > 0) continue;
        const target = test.targets?.[0] ?? test.target ?? recordings.onlyTarget;
        unmatched.push({
          ...plan,
          id: attemptId(testKey({ file, test: test.id, target }), 1),
          target,
          repeat: 1,
          replies: noReplies(`no recording matches this test (by ${rule ?? 'id or input'})`),
          fingerprint: fingerprint(test, { target, threshold }),
        });
      }
  if (matched.size === 0 && tests > 0)
    find(
      fileFinding(
        run.runId,
        'no_match',
        `none of the ${recordings.size} recordings matches one of the ${tests} tests`,
        'name the recordings in the ids of the tests, or say how to match with --match',
      ),
    );
  yield* unmatched;
  for (const finding of recordings.leftOver(matched)) find(finding);
}

/** What a run recorded, found by what tests are named and asked. */
class Recordings {
  readonly size: number;
  /** Empty if there are several. */
  readonly onlyTarget: string;
  private readonly byKey = new Map<string, number[]>();
  private readonly names: { readonly file: string; readonly test: string; readonly line: number }[] = [];
  private readonly metadata = new Map<string, number[]>();
  private readonly places: ReturnType<typeof testsOfJournal>['places'];
  private readonly journal: RecordFile;
  private readonly redactor: Redactor;

  constructor(run: RunDirectory, redactor: Redactor) {
    this.redactor = redactor;
    this.journal = new RecordFile(run.journalPath);
    const { places } = testsOfJournal(run.journalPath);
    this.places = places;
    this.size = places.size;
    const targets = new Set<string>();
    for (let number = 0; number < places.size; number++) {
      const { file, test, line, target, repeat, steps, metadata } = this.at(number);
      this.names.push({ file, test, line });
      targets.add(target);
      put(this.byKey, `id ${test}`, number);
      put(this.byKey, `id ${test}#${repeat}`, number);
      put(this.byKey, `input ${inputsKey(steps.map(({ input_messages }) => input_messages))}`, number);
      for (const [name, value] of Object.entries(metadata ?? {}))
        put(this.metadata, `${name} ${textOf(value)}`, number);
    }
    this.onlyTarget = targets.size === 1 ? [...targets][0]! : '';
  }

  at(number: number): AttemptRecord {
    return this.journal.recordAt(this.places.at(number));
  }

  find(test: Test, rule: MatchRule): readonly number[] {
    const byId = this.byKey.get(`id ${this.redactor.text(test.id)}`) ?? [];
    if (rule === 'id') return byId;
    if (rule?.startsWith('metadata.') === true) {
      const name = rule.slice('metadata.'.length);
      const wanted = isJsonObject(test.metadata) ? test.metadata[name] : undefined;
      return this.metadata.get(`${name} ${textOf(wanted ?? test.id)}`) ?? [];
    }
    if (rule === undefined && byId.length > 0) return byId;
    const asked = this.redactor.value(test.steps.map(({ input_messages }) => input_messages));
    return this.byKey.get(`input ${inputsKey(asked)}`) ?? [];
  }

  leftOver(matched: ReadonlySet<number>): readonly Finding[] {
    const left = this.names.filter((_, number) => !matched.has(number));
    const shown = left
      .slice(0, MOST_SHOWN)
      .map(({ file, test, line }) => warning(file, line, `no test matches the recording "${test}"`));
    const more = left.length - shown.length;
    return more === 0 ? shown : [...shown, warning('', 1, `${more} more recordings match no test`)];
  }
}

const MOST_SHOWN = 50;

function warning(file: string, line: number, message: string): Finding {
  return { ...fileFinding(file, 'unmatched_recording', message), line, severity: 'warning' };
}

function put(map: Map<string, number[]>, key: string, number: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [number]);
  else known.push(number);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** What the user said, without what surrounds it. */
function inputsKey(steps: readonly (readonly Message[])[]): string {
  const said = steps.map((messages) =>
    messages.filter(({ role }) => role === 'user').map((message) => textOf(contentOf(message)).trim()),
  );
  return JSON.stringify(said);
}

/** The test with what was really said: by a simulated user, for example. */
function asRecorded(test: Test, { steps }: AttemptRecord): Test {
  if (steps.length !== test.steps.length) return test;
  const asked = test.steps.map((step, index) => ({ ...step, input_messages: steps[index]!.input_messages }));
  return {
    ...test,
    steps: asked,
    ...(test.input_messages === undefined ? {} : { input_messages: asked[0]!.input_messages }),
  };
}

/** A test of one step is about all of a longer recording: its last answer, and all of its calls. */
function repliesFor(test: Test, record: AttemptRecord): PlannedAttempt['replies'] {
  const { steps } = record;
  if (steps.length === test.steps.length) return recordedReplies(record);
  if (test.steps.length === 1 && steps.length > 0)
    return recordedReplies({ ...record, steps: [joined(steps)] });
  return noReplies(`the recording has ${steps.length} steps, and the test ${test.steps.length}`);
}

function joined(steps: readonly StepRecord[]): StepRecord {
  const last = steps.at(-1)!;
  const gap = steps.find(({ trace_gap }) => trace_gap !== undefined)?.trace_gap;
  const calls = steps.map(({ tool_calls }) => tool_calls);
  const isKnown = calls.every((each) => each !== undefined);
  return {
    ...last,
    tool_calls: isKnown ? calls.flat() : undefined,
    tools_used: isKnown ? calls.flat().map(({ tool }) => tool) : undefined,
    trace_gap: gap,
    output_messages: steps.flatMap(({ input_messages, output_messages = [] }, index) =>
      index === 0 ? output_messages : [...input_messages, ...output_messages],
    ),
    token_usage: addUsage(steps.map(({ token_usage }) => token_usage)),
    usage_complete: steps.some(({ usage_complete }) => usage_complete === false) ? false : undefined,
    cost_usd: addAll(steps.map(({ cost_usd }) => cost_usd)),
    model_calls: addAll(steps.map(({ model_calls }) => model_calls)),
    models: [...new Set(steps.flatMap(({ models = [] }) => models))],
    timeline: undefined,
    duration_ms: addAll(steps.map(({ duration_ms }) => duration_ms)),
  };
}
