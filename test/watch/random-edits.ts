import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Random } from '../../scripts/random.ts';

interface Claim {
  readonly key: string;
  readonly value: unknown;
  readonly holds: boolean;
}

interface Evaluator {
  readonly type: string;
  readonly value: unknown;
  readonly weight: number;
  readonly holds: boolean;
}

/** A test of one of the files. What it sends never changes. */
interface Scenario {
  readonly id: string;
  readonly inputs: readonly string[];
  /** Of each step; for a step test. */
  claims: Claim[][];
  /** Empty in a dataset: those of the sidecar count. */
  evaluators: Evaluator[];
  description: string;
}

interface SuiteFile {
  readonly name: string;
  readonly kind: 'steps' | 'json' | 'evals' | 'dataset';
  tests: Scenario[];
  threshold: number;
  /** Of the sidecar. */
  shared: Evaluator[];
  style: { comments: number; isBlock: boolean; hasCrlf: boolean };
}

export interface Edit {
  /** Nothing that a test checks is different: nothing runs. */
  readonly isSilent: boolean;
  /** Another program could see a state between two others. */
  readonly isTorn: boolean;
  /** The files and their new texts. */
  readonly texts: Readonly<Record<string, string>>;
}

const THRESHOLDS = [0.15, 0.45, 0.55, 0.71, 0.93];

/** Suites whose assertions are edited at random, and the verdicts that they must give. */
export class RandomEdits {
  private readonly files: SuiteFile[];
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    this.files = (['steps', 'json', 'evals', 'dataset'] as const).map((kind) => this.createFile(kind));
  }

  texts(): Record<string, string> {
    return Object.assign({}, ...this.files.map((file) => textsOf(file))) as Record<string, string>;
  }

  /** Changes one file, or several in one save. */
  edit(): Edit {
    const before = this.meaning();
    const textsBefore = this.texts();
    const amount = this.random.chance(0.15) ? 1 + this.random.below(3) : 1;
    for (let count = 0; count < amount; count++) this.change(this.random.pick(this.files));
    const texts = Object.fromEntries(
      Object.entries(this.texts()).filter(([name, text]) => textsBefore[name] !== text),
    );
    return { isSilent: this.meaning() === before, isTorn: Object.keys(texts).length > 1, texts };
  }

  /** Which tests pass, worked out apart from Assay. */
  verdicts(): Readonly<Record<string, 'passed' | 'failed'>> {
    const verdicts: Record<string, 'passed' | 'failed'> = {};
    for (const file of this.files)
      for (const test of file.tests) verdicts[test.id] = doesPass(file, test) ? 'passed' : 'failed';
    return verdicts;
  }

  private meaning(): string {
    const tests = this.files.flatMap((file) =>
      file.tests.map((test) => [test.id, test.claims, evaluatorsOf(file, test), file.threshold]),
    );
    return JSON.stringify(tests.toSorted(([a], [b]) => (a! < b! ? -1 : 1)));
  }

  private createFile(kind: SuiteFile['kind']): SuiteFile {
    const extension = { steps: 'test.yaml', json: 'test.json', evals: 'eval.yaml', dataset: 'eval.jsonl' }[
      kind
    ];
    const hasSteps = kind === 'steps' || kind === 'json';
    const tests = [1, 2, 3].map((number) => {
      const inputs = hasSteps && number === 3 ? ['first', 'second'] : [`${kind} ${number}`];
      return {
        id: `${kind}-${number}`,
        inputs,
        claims: hasSteps ? inputs.map((input) => [this.claim(input)]) : [],
        evaluators: hasSteps || (kind === 'dataset' && number === 1) ? [] : [this.evaluator(inputs[0]!)],
        description: '',
      };
    });
    const shared = kind === 'dataset' ? [this.evaluator('any')] : [];
    const style = { comments: 0, isBlock: true, hasCrlf: false };
    return { name: `${kind}.${extension}`, kind, tests, threshold: 0.55, shared, style };
  }

  private change(file: SuiteFile): void {
    const { random } = this;
    const test = random.pick(file.tests);
    const roll = random.below(20);
    if (roll === 0) file.style.comments = random.below(6);
    else if (roll === 1) file.style.isBlock = !file.style.isBlock;
    else if (roll === 2) file.style.hasCrlf = !file.style.hasCrlf;
    else if (roll === 3) file.tests = shuffled(file.tests, random);
    else if (roll === 4) test.description = random.pick(['', 'about this', 'about that']);
    else if (roll < 7 && !hasClaims(file)) file.threshold = random.pick(THRESHOLDS);
    else if (hasClaims(file)) {
      const step = random.below(test.inputs.length);
      const claims = this.changed(test.claims[step]!, () => this.claim(test.inputs[step]!));
      test.claims[step] = claims.filter(
        ({ key }, index) =>
          // `memory.heard_2` is another path.
          !key.startsWith('memory.') || claims.findIndex((claim) => claim.key === key) === index,
      );
    } else if (file.kind === 'dataset' && random.chance(0.3))
      file.shared = this.changed(file.shared, () => this.evaluator('any'));
    // A line that loses its own is judged by those of the sidecar, and back.
    else if (file.kind === 'dataset' && random.chance(0.2)) test.evaluators = [];
    else test.evaluators = this.changed(test.evaluators, () => this.evaluator(test.inputs[0]!));
  }

  /** One more, one less, one other, or another order; never none. */
  private changed<Item>(items: readonly Item[], create: () => Item): Item[] {
    const { random } = this;
    const roll = random.below(6);
    if (items.length === 0 || (roll === 0 && items.length < 6)) return [...items, create()];
    if (roll === 1 && items.length > 1) return items.toSpliced(random.below(items.length), 1);
    if (roll === 2 && items.length > 1) return shuffled(items, random);
    return items.with(random.below(items.length), create());
  }

  private claim(input: string): Claim {
    const holds = this.random.chance(0.7);
    const word = this.word();
    const [key, value] = this.random.pick<readonly [string, unknown]>(
      holds
        ? [
            ['output.includes', this.random.pick(['said', 'aid', input, `said ${input}`])],
            ['output.equals', `said ${input}`],
            ['output.matches', this.random.pick(['^said', `${input}$`, String.raw`\bsa.d`])],
            ['output.not_includes', word],
            ['tools_used', []],
            ['memory.heard', input],
            ['memory.nowhere', null],
          ]
        : [
            ['output.includes', word],
            ['output.equals', `said ${word}`],
            ['output.matches', `^${word}`],
            ['output.not_includes', 'said'],
            ['tools_used', [word]],
            ['memory.heard', word],
          ],
    );
    return { key, value, holds };
  }

  private evaluator(input: string): Evaluator {
    const holds = this.random.chance(0.6);
    const weight = 1 + this.random.below(3);
    const word = this.word();
    const [type, value] = this.random.pick<readonly [string, unknown]>(
      holds
        ? [
            ['contains', 'said'],
            ['icontains', 'SAID'],
            ['starts_with', 'sa'],
            ['regex', '^said .+'],
            ...(input === 'any' ? [] : ([['equals', `said ${input}`]] as const)),
            ['contains_any', [word, 'said']],
          ]
        : [
            ['contains', word],
            ['starts_with', word],
            ['ends_with', word],
            ['regex', `^${word}$`],
            ['equals', word],
            ['contains_all', ['said', word]],
          ],
    );
    return { type, value, weight, holds };
  }

  private word(): string {
    return `nope-${this.random.below(1000)}`;
  }
}

function hasClaims({ kind }: SuiteFile): boolean {
  return kind === 'steps' || kind === 'json';
}

function evaluatorsOf(file: SuiteFile, test: Scenario): readonly Evaluator[] {
  return test.evaluators.length === 0 ? file.shared : test.evaluators;
}

function doesPass(file: SuiteFile, test: Scenario): boolean {
  if (hasClaims(file)) return test.claims.flat().every(({ holds }) => holds);
  const evaluators = evaluatorsOf(file, test);
  const sum = (items: readonly Evaluator[]): number => items.reduce((total, { weight }) => total + weight, 0);
  return sum(evaluators.filter(({ holds }) => holds)) / sum(evaluators) >= file.threshold;
}

function textsOf(file: SuiteFile): Record<string, string> {
  const { name, kind, tests, threshold, shared, style } = file;
  if (kind === 'json')
    return { [name]: withEnds(JSON.stringify(tests.map(stepTest), null, style.comments), style) };
  if (kind === 'steps') return { [name]: yaml(tests.map(stepTest), style) };
  if (kind === 'evals') return { [name]: yaml({ threshold, evalcases: tests.map(evalCase) }, style) };
  // Blank lines take the place of comments.
  const lines = tests.map(
    (test) => `${JSON.stringify(evalCase(test))}${'\n'.repeat(1 + (style.comments % 3))}`,
  );
  return {
    [name]: withEnds(lines.join(''), style),
    [name.replace('.jsonl', '.yaml')]: yaml({ threshold, evaluators: shared.map(listed) }, style),
  };
}

function stepTest({ id, inputs, claims, description }: Scenario): object {
  const steps = inputs.map((input, index) => ({ input, assert: mapOf(claims[index]!) }));
  const [only] = steps;
  return { id, ...described(description), ...(steps.length === 1 ? only : { steps }) };
}

/** A second claim about the same thing is written `output.includes_2`. */
function mapOf(claims: readonly Claim[]): object {
  const map: Record<string, unknown> = {};
  for (const { key, value } of claims) {
    let name = key;
    for (let number = 2; Object.hasOwn(map, name); number++) name = `${key}_${number}`;
    map[name] = value;
  }
  return map;
}

function evalCase({ id, inputs, evaluators, description }: Scenario): object {
  const own = evaluators.length === 0 ? {} : { evaluators: evaluators.map(listed) };
  return { id, ...described(description), input: inputs[0], ...own };
}

function listed({ type, value, weight }: Evaluator): object {
  return { type, value, ...(weight === 1 ? {} : { weight }) };
}

function described(description: string): object {
  return description === '' ? {} : { description };
}

function yaml(value: unknown, style: SuiteFile['style']): string {
  const text = stringify(value, {
    indent: 2 + (style.comments % 3),
    lineWidth: 0,
    collectionStyle: style.isBlock ? 'block' : 'flow',
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
  return withEnds(`${'# a comment\n'.repeat(style.comments)}${text}${'\n'.repeat(style.comments)}`, style);
}

function withEnds(text: string, { hasCrlf }: SuiteFile['style']): string {
  return hasCrlf ? text.replaceAll('\n', '\r\n') : text;
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}

/** The ways in which editors and other tools write a file. */
export const SAVES: Readonly<Record<string, (path: string, text: string) => void>> = {
  inPlace: (path, text) => writeFileSync(path, text),
  atomic(path, text) {
    writeFileSync(`${path}.tmp4711`, text);
    renameSync(`${path}.tmp4711`, path);
  },
  vim(path, text) {
    const folder = join(path, '..');
    writeFileSync(join(folder, '4913'), '');
    rmSync(join(folder, '4913'));
    renameSync(path, `${path}~`);
    writeFileSync(path, text);
    rmSync(`${path}~`);
  },
  emptied(path, text) {
    writeFileSync(path, '');
    writeFileSync(path, text);
  },
  checkedOut(path, text) {
    rmSync(path);
    writeFileSync(path, text);
  },
  twice(path, text) {
    writeFileSync(path, readFileSync(path));
    writeFileSync(path, text);
  },
};
