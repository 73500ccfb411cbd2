import { relative, resolve } from 'node:path';
import { recordedReplies } from '../../agents/recorded-replies.ts';
import { latestEntries, type EntryPlace } from '../../journal/latest-entries.ts';
import { RecordFile } from '../../journal/record-file.ts';
import type { RunDirectory } from '../../journal/run-directory.ts';
import type { Redactor } from '../../match/redact-secrets.ts';
import type { PlannedWork, Rerun } from '../../model/planned-work.ts';
import type { AttemptRecord } from '../../model/record.ts';
import { Batched, batchesOf } from '../../run/batched.ts';
import type { PlannedAttempt } from '../../run/plan.ts';
import { changedQuestion } from '../recorded/changed-question.ts';
import type { EarlierRun } from '../resume/earlier-run.ts';
import type { SourceRuns } from './find-source-runs.ts';
import type { AgentPrint, AgentPrints } from './agent-prints.ts';
import type { CheckFiles } from './check-files.ts';
import { costOf, CostEstimate, EarlierCosts } from './cost-estimate.ts';
import { identityOf, type NamedFiles } from './named-files.ts';

interface SourceEntry {
  readonly source: RunDirectory;
  readonly file: RecordFile;
  readonly place: EntryPlace;
}

interface Comparing extends SourceRuns {
  readonly suites: readonly { readonly file: string }[];
  readonly projectRoot: string;
  readonly agents: AgentPrints;
  readonly checks: CheckFiles;
  readonly named: NamedFiles;
  readonly redactor: Redactor;
  readonly rerun?: Rerun | undefined;
  /** Recorded replies may be graded again. */
  readonly mayRegrade: boolean;
  /** Whether its checks need a script that may not run now. */
  isRefused(attempt: PlannedAttempt): Promise<boolean>;
}

/** The attempts of a plan, compared with a run of the same tests: which are as they were, and which must be made. */
export class ChangedAttempts {
  private readonly options: Comparing;
  /** The newest record of each attempt. */
  private readonly entries = new Map<string, SourceEntry>();
  private readonly unchanged = new Set<string>();
  private readonly regraded = new Set<string>();
  private readonly called: string[] = [];
  private readonly planned = new Set<string>();
  private readonly estimate = new CostEstimate();
  private readonly earlierCosts: EarlierCosts;

  private constructor(options: Comparing) {
    this.options = options;
    this.earlierCosts = new EarlierCosts(options.others);
    for (const source of options.sources.toReversed()) {
      const file = new RecordFile(source.journalPath);
      for (const [id, place] of latestEntries(source.journalPath))
        // Without a checksum, the content cannot be verified.
        if (place.isSealed) this.entries.set(id, { source, file, place });
    }
  }

  static async compare(
    attempts: AsyncIterable<PlannedAttempt>,
    options: Comparing,
  ): Promise<ChangedAttempts> {
    const changes = new ChangedAttempts(options);
    for await (const attempt of attempts) await changes.compareOne(attempt);
    return changes;
  }

  private async compareOne(attempt: PlannedAttempt): Promise<void> {
    const id = this.idOf(attempt);
    this.planned.add(id);
    if (attempt.skipped !== undefined) return;
    const record = this.recordOf(id);
    // Before anything runs: an agent may write files that it also reads.
    this.options.checks.of(attempt);
    const print = await this.options.agents.of(attempt.file, attempt.target);
    const outcome = record === undefined ? 'called' : this.outcome(attempt, record, print);
    // A test whose script may no longer run is an error, even if it passed before.
    if (outcome === 'called' || (await this.options.isRefused(attempt))) {
      this.called.push(id);
      this.estimate.add(record === undefined ? this.earlierCosts.of(id) : costOf(record));
    } else {
      this[outcome].add(id);
      this.estimate.learn(costOf(record!));
    }
  }

  private outcome(
    attempt: PlannedAttempt,
    record: AttemptRecord,
    { print, data, isKnown }: AgentPrint,
  ): 'called' | 'regraded' | 'unchanged' {
    const { checks, named, rerun, mayRegrade, redactor } = this.options;
    const isWanted =
      rerun === 'all' ||
      (rerun === 'failed' ? record.verdict !== 'passed' : rerun?.includes(record.id) === true);
    // Compared for all: it also shows which files the code writes itself.
    const files = named.changesSince(record.agent_data, data);
    const checkFiles = named.changesSince(record.check_data, checks.of(attempt));
    if (isWanted || record.verdict === 'skipped') return 'called';
    // It failed before the agent was called, so trying again costs nothing. A variable or an option may have changed.
    if (record.error !== undefined && record.steps.length === 0) return 'called';
    if (!isKnown || record.agent_print !== print || files === undefined || files.edited.length > 0)
      return 'called';
    if (changedQuestion(record, attempt.test, redactor) !== undefined) return 'called';
    if (record.fingerprint === attempt.fingerprint && checkFiles?.edited.length === 0) return 'unchanged';
    return mayRegrade ? 'regraded' : 'called';
  }

  /** Whether a change of any file of the agents would be noticed. */
  get seesAll(): boolean {
    return this.options.agents.isComplete;
  }

  get work(): PlannedWork {
    return {
      attempts: this.called,
      regraded: this.regraded.size,
      unchanged: this.unchanged.size,
      has_other_tests:
        !this.hasSameTests || [...this.unchanged].some((id) => !this.isIn(this.options.continued!, id)),
      own_output: this.options.named.output,
      unsure_output: this.options.named.unsureOutput,
      outside: this.options.agents.outside,
      ...this.estimate.total(this.called.length),
    };
  }

  /** The run to go on with: none if it has other files, or results of tests that are gone. */
  get earlier(): EarlierRun {
    const { continued, rerun } = this.options;
    return { found: rerun === 'all' || !this.hasSameTests ? undefined : continued, damaged: [] };
  }

  private get hasSameTests(): boolean {
    const { continued, suites, projectRoot } = this.options;
    if (continued === undefined) return false;
    const before = (continued.description()?.files ?? []).map(({ file }) => file);
    const files = suites.map(({ file }) => relative(projectRoot, resolve(file)));
    if (JSON.stringify(before.toSorted()) !== JSON.stringify(files.toSorted())) return false;
    return [...this.entries].every(([id, { source }]) => source !== continued || this.planned.has(id));
  }

  /** From here on, agents are called and replies are graded. Undefined if nothing is. */
  async begin(): Promise<{ ended(): void } | undefined> {
    const { agents, checks, named } = this.options;
    if (this.called.length === 0 && this.regraded.size === 0) return undefined;
    return named.begin([...(await agents.data()), ...checks.all()]);
  }

  /** The result of an attempt that is as it was. */
  recorded(attemptId: string): AttemptRecord | undefined {
    const id = this.options.redactor.text(attemptId);
    return this.unchanged.has(id) ? this.recordOf(id) : undefined;
  }

  /** Whether a result that is as it was stands in this run already. */
  isIn(run: RunDirectory, id: string): boolean {
    return this.entries.get(id)?.source.path === run.path;
  }

  /** The attempts, with the recorded replies where only what is checked has changed. */
  prepare(attempts: AsyncIterable<PlannedAttempt>): Batched<PlannedAttempt> {
    return new Batched(this.preparedBatches(attempts));
  }

  private async *preparedBatches(
    attempts: AsyncIterable<PlannedAttempt>,
  ): AsyncGenerator<readonly PlannedAttempt[]> {
    for await (const batch of batchesOf(attempts))
      yield await Promise.all([...batch].map((attempt) => this.prepared(attempt)));
  }

  private async prepared(attempt: PlannedAttempt): Promise<PlannedAttempt> {
    if (attempt.skipped !== undefined) return attempt;
    const id = this.idOf(attempt);
    const { print, data } = await this.options.agents.of(attempt.file, attempt.target);
    const record = this.regraded.has(id) ? this.recordOf(id) : undefined;
    const made = {
      ...attempt,
      agentPrint: print,
      agentData: record === undefined ? identityOf(data) : record.agent_data,
      checkData: identityOf(this.options.checks.of(attempt)),
    };
    return record === undefined
      ? made
      : { ...made, agent: undefined, replies: recordedReplies(record), repliesOf: record };
  }

  private recordOf(id: string): AttemptRecord | undefined {
    const entry = this.entries.get(id);
    return entry?.file.recordAt(entry.place);
  }

  private idOf({ id }: PlannedAttempt): string {
    return this.options.redactor.text(id);
  }
}
