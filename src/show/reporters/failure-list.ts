import { ownText } from '../../base/model/own-text.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import { inFileOrder, type RecordPlace } from '../../base/model/record-order.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import { testKey } from '../../base/model/test-key.ts';
import type { Colors } from './colors.ts';
import { failureCause } from '../../base/match/failure-cause.ts';
import { failureBody, failureTitle, type FailureContext } from './failure-text.ts';
import { escapeLine, escapeShortLine } from './terminal-text.ts';

/** More causes than this are counted, not shown: nobody reads them, and they would fill the memory. */
const MAX_CAUSES_SHOWN = 100;
/** The names of tests that failed for one cause. */
const MAX_NAMES_SHOWN = 50;
/** More tests than this are only counted. */
const MAX_TESTS_KEPT = 10_000;
/** The first test with a cause may pass in the end, because of its other attempts. Then the next one is shown. */
const BODIES_KEPT = 2;

/** A test that did not pass, and what is needed to list it. */
interface FailedTest extends RecordPlace {
  readonly verdict: Verdict;
  readonly repeat: number;
  readonly title: string;
  readonly cause: string;
}

/** What is shown of a failure, and nothing else of its record, which may have megabytes. */
interface Body {
  readonly key: string;
  readonly place: RecordPlace;
  readonly text: Promise<string>;
}

/**
 * Tests that did not pass, in the order of their files. Tests that failed for the same reason are one entry. Of a
 * test's repeats the first one is shown: they mostly fail alike.
 */
export class FailureList {
  private readonly tests = new Map<string, FailedTest>();
  private readonly bodies = new Map<string, Body[]>();
  private readonly targets = new Set<string>();
  private notKept = 0;
  private hidden = 0;

  /** A promise resolves when nothing more of the record is needed. */
  add(record: AttemptRecord, context: FailureContext): void | Promise<void> {
    const { verdict, repeat } = record;
    this.targets.add(record.target);
    if (verdict !== 'failed' && verdict !== 'error') return undefined;
    const key = testKey(record);
    const known = this.tests.get(key);
    if (known !== undefined && !saysMore(record, known)) return undefined;
    if (known === undefined && this.tests.size >= MAX_TESTS_KEPT) {
      if (repeat === 1) this.notKept++;
      return undefined;
    }
    const place = placeOf(record);
    // `texts` adds the target where there are several.
    const title = ownText(failureTitle(record, { ...context, namesTarget: false }));
    const cause = failureCause(record);
    this.tests.set(key, { ...place, verdict, repeat, title, cause });
    if (!this.hasRoom(cause, place)) return undefined;
    const text = failureBody(record, context);
    const bodies = (this.bodies.get(cause) ?? []).filter((body) => body.key !== key);
    bodies.push({ key, place, text });
    this.bodies.set(cause, bodies.sort((a, b) => inFileOrder(a.place, b.place)).slice(0, BODIES_KEPT));
    return text.then(() => {});
  }

  /** A test that passes as often as it must has no failures. */
  async *texts(tests: readonly TestSummary[], colors: Colors): AsyncGenerator<string> {
    const summaries = new Map(tests.map((test) => [testKey(test), test]));
    const blocks = new Map<string, Member[]>();
    const failed = [...this.tests].sort(([, a], [, b]) => inFileOrder(a, b));
    for (const [key, test] of failed) {
      const summary = summaries.get(key);
      if (summary?.verdict === 'passed') continue;
      const label = labelOf(test, summary, colors);
      const block = `${label} ${test.cause}`;
      const members = blocks.get(block);
      if (members === undefined) blocks.set(block, [{ key, test, summary, label }]);
      else members.push({ key, test, summary, label });
    }
    this.hidden = this.notKept;
    let shown = 0;
    for (const members of blocks.values()) {
      const text = shown < MAX_CAUSES_SHOWN ? await this.bodyOf(members) : undefined;
      if (text === undefined) this.hidden += members.length;
      else yield blockText(members, text, { colors, hasTargets: this.targets.size > 1 });
      if (text !== undefined) shown++;
    }
  }

  /** How many tests `texts` did not show. */
  get hiddenCount(): number {
    return this.hidden;
  }

  /** Only the causes that come first in the files are kept; a later one makes room for this one. */
  private hasRoom(cause: string, place: RecordPlace): boolean {
    const bodies = this.bodies.get(cause);
    if (bodies !== undefined)
      return bodies.length < BODIES_KEPT || inFileOrder(place, bodies.at(-1)!.place) < 0;
    if (this.bodies.size < MAX_CAUSES_SHOWN) return true;
    const [last, [{ place: lastPlace }]] = [...this.bodies].reduce((latest, next) =>
      inFileOrder(latest[1][0]!.place, next[1][0]!.place) < 0 ? next : latest,
    ) as [string, [Body]];
    if (inFileOrder(place, lastPlace) > 0) return false;
    this.bodies.delete(last);
    return true;
  }

  private bodyOf(members: Member[]): Promise<string> | undefined {
    const bodies = this.bodies.get(members[0]!.test.cause) ?? [];
    const own = bodies.find(({ key }) => members.some((member) => member.key === key)) ?? bodies[0];
    const index = members.findIndex(({ key }) => key === own?.key);
    // The test whose body is shown is named first.
    if (index > 0) members.unshift(...members.splice(index, 1));
    return own?.text;
  }
}

interface Member {
  readonly key: string;
  readonly test: FailedTest;
  readonly summary: TestSummary | undefined;
  readonly label: string;
}

/** A failed claim says more than an attempt that could not be measured; otherwise the first repeat is shown. */
function saysMore({ verdict, repeat }: AttemptRecord, known: FailedTest): boolean {
  return verdict === known.verdict ? repeat < known.repeat : verdict === 'failed';
}

function placeOf({ file, line, column, row, test, target }: AttemptRecord): RecordPlace {
  return { file, line, column, row, test, target };
}

interface BlockContext {
  readonly colors: Colors;
  /** Several targets ran: each test is named with its own. */
  readonly hasTargets: boolean;
}

function blockText(members: readonly Member[], body: string, context: BlockContext): string {
  const { colors } = context;
  const [first, ...others] = members as [Member, ...Member[]];
  const { label, test, summary } = first;
  const count = `${others.length} more ${others.length === 1 ? 'test' : 'tests'}`;
  const more = others.length === 0 ? '' : colors.bold(` and ${count}, for the same reason`);
  const head = [
    `${label} ${test.title}${targetOf(test, context)}${more}`,
    ...repeatLines(test, summary, colors),
  ];
  return `${head.join('\n')}\n${body}${others.length === 0 ? '' : listed(others, context)}`;
}

function listed(members: readonly Member[], context: BlockContext): string {
  const { colors } = context;
  const lines = members.slice(0, MAX_NAMES_SHOWN).map(({ test, summary }) => {
    const share = summary === undefined || summary.attempts < 2 ? '' : colors.dim(` (${passesOf(summary)})`);
    const name = `${escapeShortLine(test.test)}${targetOf(test, context)}`;
    return `    ${name} ${colors.dim(escapeLine(`${test.file}:${test.line}`))}${share}`;
  });
  const more = members.length - lines.length;
  if (more > 0) lines.push(colors.dim(`    ... and ${more} more`));
  return `\n  ${colors.dim('same problem in:')}\n${lines.join('\n')}\n`;
}

function targetOf({ target }: FailedTest, { colors, hasTargets }: BlockContext): string {
  return hasTargets ? colors.dim(` [${escapeShortLine(target)}]`) : '';
}

function labelOf({ verdict }: FailedTest, test: TestSummary | undefined, colors: Colors): string {
  if (verdict === 'error') return colors.yellow(colors.bold('ERROR'));
  return test?.verdict === 'error'
    ? colors.yellow(colors.bold('UNDECIDED'))
    : colors.red(colors.bold('FAIL'));
}

/** For a repeated test: how often it passed, and which attempt this is. */
function repeatLines(
  { repeat }: FailedTest,
  test: TestSummary | undefined,
  colors: Colors,
): readonly string[] {
  if (test === undefined || test.attempts < 2) return [];
  return [colors.dim(`  ${passesOf(test)}; attempt ${repeat} of ${test.attempts}:`)];
}

function passesOf({ passed, failed, error }: TestSummary): string {
  const errors = error === 0 ? '' : `, ${error} could not be measured`;
  return `passed ${passed} of ${passed + failed}${errors}`;
}
