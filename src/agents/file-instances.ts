import type { NowOrLater } from './contract.ts';
import type { AgentFunction } from './function-agent.ts';

/** How many test files keep their instance while others run. */
const KEPT = 32;

/** The function of an agent's module for each test file: state that a module holds does not pass from file to file. */
export class FileInstances {
  private readonly load: () => Promise<AgentFunction>;
  /** Loaded before the first file is known. */
  private unused: AgentFunction | undefined;
  private readonly byFile = new Map<string, NowOrLater<AgentFunction>>();
  private loading: Promise<unknown> = Promise.resolve();
  private lastFile: string | undefined;
  private last: AgentFunction | undefined;

  constructor(load: () => Promise<AgentFunction>, first: AgentFunction) {
    this.load = load;
    this.unused = first;
  }

  of(file: string): NowOrLater<AgentFunction> {
    if (file === this.lastFile) return this.last!;
    const known = this.byFile.get(file) ?? this.add(file);
    if (known instanceof Promise) return known;
    this.lastFile = file;
    this.last = known;
    return known;
  }

  private add(file: string): NowOrLater<AgentFunction> {
    const [oldest] = this.byFile.keys();
    if (this.byFile.size >= KEPT) this.byFile.delete(oldest!);
    const instance = this.unused ?? this.loadNext(file);
    this.unused = undefined;
    this.byFile.set(file, instance);
    return instance;
  }

  /** One after the other: modules that are loaded at the same time could share what they import. */
  private loadNext(file: string): Promise<AgentFunction> {
    const loaded = this.loading.then(() => this.load());
    this.loading = loaded.catch(() => undefined);
    loaded.then(
      (run) => this.byFile.has(file) && this.byFile.set(file, run),
      // The next test of the file tries again.
      () => this.byFile.delete(file),
    );
    return loaded;
  }
}
