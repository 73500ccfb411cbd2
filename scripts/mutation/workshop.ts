import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy } from './copy.ts';
import { digestOf, type Coverage } from './coverage.ts';
import { applyMutant, type Mutant } from './mutants.ts';
import { TestRunner } from './test-runner.ts';
import { probeAt, probesOf } from './probes.ts';

export interface Tried {
  readonly mutant: Mutant;
  /** `refused` by the types: nobody could ship it, so it counts neither way. */
  readonly end: 'killed' | 'timeout' | 'survived' | 'refused';
  /** The test that noticed, or how many ran through the mutant and did not. */
  readonly why: string;
  readonly seconds: number;
}

type Ended = Pick<Tried, 'end' | 'why'>;

interface Batch {
  readonly files: readonly string[];
  readonly seconds: number;
}

/** A copy of the project in which mutants are put one after the other. */
export class Workshop {
  private readonly copy = new Copy('.');
  private readonly runner = new TestRunner(this.copy.root);

  constructor(
    private readonly coverage: Coverage,
    /** How many seconds of tests may be spent on one mutant; the quickest run first. */
    private readonly budget: number,
  ) {
    cpSync(join(this.copy.root, 'dist'), join(this.copy.root, '.dist'), { recursive: true });
  }

  async try(mutant: Mutant): Promise<Tried> {
    const started = Date.now();
    const path = join(this.copy.root, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, applyMutant(source, mutant));
    try {
      const ended = await this.attempt(mutant, source);
      return { mutant, ...ended, seconds: Math.round((Date.now() - started) / 1000) };
    } finally {
      writeFileSync(path, source);
    }
  }

  remove(): void {
    this.runner.stop();
    this.copy.remove();
  }

  private async attempt(mutant: Mutant, source: string): Promise<Ended> {
    const direct = this.batches(mutant, source, 'source');
    for (const batch of direct) {
      const end = await this.kills(batch, mutant.file);
      if (end !== undefined) return end;
    }
    const through = this.batches(mutant, source, 'program');
    if (through.length > 0) {
      try {
        if (!(await this.copy.builds())) return { end: 'killed', why: 'build' };
        for (const batch of through) {
          const end = await this.kills(batch, mutant.file);
          if (end !== undefined) return end;
        }
      } finally {
        const dist = join(this.copy.root, 'dist');
        rmSync(dist, { recursive: true });
        cpSync(join(this.copy.root, '.dist'), dist, { recursive: true });
      }
    }
    const tests = [...direct, ...through].flatMap(({ files }) => files);
    return { end: 'survived', why: tests.join(' ') || 'no test runs it' };
  }

  private async kills({ files, seconds }: Batch, changed: string): Promise<Ended | undefined> {
    const limitMs = (60 + 8 * seconds) * 1000;
    const absolute = (file: string): string => join(this.copy.root, file);
    const order = { mutated: absolute(changed), files: files.map(absolute) };
    const first = await this.runner.run(order, limitMs);
    if (first === 'passed') return undefined;
    if (first === 'timeout') return { end: 'timeout', why: files.join(' ') };
    const file = first.file.slice(this.copy.root.length + 1);
    // What fails once by chance, on a busy machine, is not noticed.
    if (file.startsWith('test/')) {
      const again = await this.runner.run({ ...order, files: [first.file] }, limitMs);
      if (again === 'passed') {
        const rest = files.filter((each) => each !== file);
        return rest.length === 0 ? undefined : this.kills({ files: rest, seconds }, changed);
      }
    }
    return { end: 'killed', why: `${file} > ${first.failed}: ${first.message}`.replaceAll(/\s+/g, ' ') };
  }

  /** The tests that run through a mutant, themselves or by starting the built program: the quickest first. */
  private batches({ file, ...place }: Mutant, source: string, where: 'source' | 'program'): readonly Batch[] {
    const { key } = probeAt(probesOf(source, file), place);
    const tests = Object.entries(this.coverage.tests);
    // A piece that is new since the notes were taken is run by what runs its file.
    const isNew =
      this.coverage.sources[file] !== digestOf(source) &&
      !tests.some(([, covered]) => covered.source.includes(key) || covered.program.includes(key));
    const wanted = isNew ? file : key;
    const files = tests
      .filter(([, covered]) => covered.passed && covered[where].includes(wanted))
      .sort(([, a], [, b]) => a.seconds - b.seconds);
    const batches: { files: string[]; seconds: number }[] = [];
    let spent = 0;
    for (const [name, { seconds }] of files) {
      spent += seconds;
      if (spent > this.budget && batches.length > 0) break;
      const last = batches.at(-1);
      if (last === undefined || last.seconds + seconds > Math.max(5, last.seconds * 2))
        batches.push({ files: [name], seconds });
      else {
        last.files.push(name);
        last.seconds += seconds;
      }
    }
    return batches;
  }
}
