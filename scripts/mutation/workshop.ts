import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Copy } from './copy.ts';
import { digestOf, type Coverage } from './coverage.ts';
import { applyMutant, type Mutant } from './mutants.ts';
import { probeAt, probesOf } from './probes.ts';
import { TestRunner } from './test-runner.ts';
import { Variants } from './variants.ts';

export interface Tried {
  readonly mutant: Mutant;
  /** `refused` by the types: it could never be shipped, so it does not count. */
  readonly end: 'killed' | 'timeout' | 'survived' | 'refused';
  /** The test that noticed, or those that ran through the mutant and did not. */
  readonly why: string;
  readonly seconds: number;
}

type Ended = Pick<Tried, 'end' | 'why'>;

interface Batch {
  readonly files: readonly string[];
  readonly seconds: number;
}

interface WorkshopOptions {
  readonly coverage: Coverage;
  /** How many seconds of tests may be spent on one mutant; the quickest run first. */
  readonly budget: number;
  /** Those that are built into the program; without any, only tests of the source are run. */
  readonly built: readonly Mutant[];
}

/** What a file of tests takes before its first test. */
const START_SECONDS = 0.6;

/** A copy of the project in which mutants are tried one after the other. */
export class Workshop {
  private readonly copy = new Copy('.');
  private readonly runner = new TestRunner(this.copy.root);
  private readonly variants: Variants | undefined;
  private readonly sources = new Map<string, string>();

  constructor(private readonly options: WorkshopOptions) {
    const { built } = options;
    if (built.length > 0)
      this.variants = new Variants(
        this.copy.root,
        built.filter((each) => !this.isAtLoad(each)),
      );
  }

  /** To be called before mutants are tried in the program. */
  async build(): Promise<void> {
    if (!(await this.copy.builds())) throw new Error('the program does not build');
  }

  /** Tests that import the mutated file. */
  trySource(mutant: Mutant): Promise<Tried> {
    return this.tryBy(mutant, 'source', async (batches) => {
      const path = join(this.copy.root, mutant.file);
      writeFileSync(path, applyMutant(this.sourceOf(mutant.file), mutant));
      try {
        return await this.firstKill(batches, path);
      } finally {
        writeFileSync(path, this.sourceOf(mutant.file));
      }
    });
  }

  /** Tests that start the built program. */
  tryProgram(mutant: Mutant): Promise<Tried> {
    return this.tryBy(mutant, 'program', async (batches) => {
      if (this.isAtLoad(mutant)) return this.tryRebuilt(mutant, batches);
      this.variants!.choose(mutant);
      try {
        return await this.firstKill(batches, join(this.copy.root, mutant.file));
      } finally {
        this.variants!.choose(undefined);
      }
    });
  }

  remove(): void {
    this.runner.stop();
    this.copy.remove();
  }

  private async tryBy(
    mutant: Mutant,
    where: 'source' | 'program',
    run: (batches: readonly Batch[]) => Promise<Ended | undefined>,
  ): Promise<Tried> {
    const started = Date.now();
    const batches = this.batches(mutant, where);
    const ended = batches.length === 0 ? undefined : await run(batches);
    const why = batches.flatMap(({ files }) => files).join(' ');
    const seconds = Math.round((Date.now() - started) / 1000);
    return { mutant, end: 'survived', why, ...ended, seconds };
  }

  private async tryRebuilt(mutant: Mutant, batches: readonly Batch[]): Promise<Ended | undefined> {
    const plain = join(this.copy.root, mutant.file);
    const original = plain.replace(/\.ts$/, '.original.ts');
    const path = existsSync(original) ? original : plain;
    writeFileSync(path, applyMutant(this.sourceOf(mutant.file), mutant));
    try {
      if (!(await this.copy.builds())) return { end: 'killed', why: 'build' };
      return await this.firstKill(batches, path);
    } finally {
      writeFileSync(path, this.sourceOf(mutant.file));
      await this.build();
    }
  }

  private async firstKill(batches: readonly Batch[], mutated: string): Promise<Ended | undefined> {
    for (const batch of batches) {
      const end = await this.kills(batch, mutated);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  private async kills({ files, seconds }: Batch, mutated: string): Promise<Ended | undefined> {
    const limitMs = (60 + 12 * seconds) * 1000;
    const absolute = (file: string): string => join(this.copy.root, file);
    const order = { mutated, files: files.map(absolute) };
    const first = await this.runner.run(order, limitMs);
    if (first === 'passed') return undefined;
    if (first === 'timeout') return { end: 'timeout', why: files.join(' ') };
    const file = first.file.slice(this.copy.root.length + 1);
    // What fails once by chance, on a busy machine, is not noticed.
    if (file.startsWith('test/')) {
      const again = await this.runner.run({ ...order, files: [first.file] }, limitMs);
      if (again === 'passed') {
        const rest = files.filter((each) => each !== file);
        return rest.length === 0 ? undefined : this.kills({ files: rest, seconds }, mutated);
      }
    }
    return { end: 'killed', why: `${file} > ${first.failed}: ${first.message}`.replaceAll(/\s+/g, ' ') };
  }

  /** The tests that run through a mutant, themselves or by starting the built program: the quickest first. */
  private batches({ file, ...place }: Mutant, where: 'source' | 'program'): readonly Batch[] {
    const { coverage } = this.options;
    const budget = where === 'program' ? this.options.budget : this.options.budget / 3;
    const source = this.sourceOf(file);
    const { key } = probeAt(probesOf(source, file), place);
    const tests = Object.entries(coverage.tests);
    // A piece that is new since the notes were taken is run by what runs its file.
    const isNew =
      coverage.sources[file] !== digestOf(source) &&
      !tests.some(([, covered]) => covered.source.includes(key) || covered.program.includes(key));
    const wanted = isNew ? file : key;
    const files = tests
      .filter(([, covered]) => covered.passed && covered[where].includes(wanted))
      // Files that mostly start the program say little about the source that they happen to import.
      .filter(([, { source: own, program }]) => where === 'program' || program.length < 10 * own.length)
      .map(([name, { seconds }]) => ({
        name,
        seconds: seconds + START_SECONDS,
        isNear: dirname(name) === dirname(file),
      }))
      .sort((a, b) => Number(b.isNear) - Number(a.isNear) || a.seconds - b.seconds);
    const batches: { files: string[]; seconds: number }[] = [];
    let spent = 0;
    for (const { name, seconds } of files) {
      spent += seconds;
      if (spent > budget && batches.length > 0) break;
      const last = batches.at(-1);
      if (last === undefined || last.seconds + seconds > Math.max(3, last.seconds * 2))
        batches.push({ files: [name], seconds });
      else {
        last.files.push(name);
        last.seconds += seconds;
      }
    }
    return batches;
  }

  /** Code that runs when its module is loaded. */
  private isAtLoad(mutant: Mutant): boolean {
    return probeAt(probesOf(this.sourceOf(mutant.file), mutant.file), mutant).how === 'module';
  }

  private sourceOf(file: string): string {
    let source = this.sources.get(file);
    if (source === undefined)
      this.sources.set(file, (source = readFileSync(join(this.copy.root, file), 'utf8')));
    return source;
  }
}
