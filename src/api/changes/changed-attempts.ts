import { relative, resolve } from 'node:path';
import type { Agent } from '../../agents/contract.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { recordedReplies } from '../../agents/recorded-replies.ts';
import { latestEntries, type EntryPlace } from '../../runs/journal/latest-entries.ts';
import { RecordFile } from '../../runs/journal/record-file.ts';
import { TextFile } from '../../runs/journal/text-file.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { PlannedWork, Rerun } from '../../base/model/planned-work.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { fillTexts } from '../../base/model/sent-texts.ts';
import { Batched, batchesOf } from '../../run/pool/batched.ts';
import type { PlannedAttempt } from '../../run/plan/plan.ts';
import { changedQuestion } from '../recorded/changed-question.ts';
import type { EarlierRun } from '../resume/earlier-run.ts';
import type { SourceRuns } from './find-source-runs.ts';
import type { AgentPrint, AgentPrints, Inputs } from './agent-prints.ts';
import type { CheckInputs, CheckPrint } from './check-inputs.ts';
import { costOf, CostEstimate, EarlierCosts } from './cost-estimate.ts';
import {
  isSameList,
  isSameState,
  outsideOf,
  ProjectStates,
  readSnapshots,
  settleListed,
  settleSeen,
  writeSnapshots,
  type InputSnapshot,
} from './input-snapshot.ts';

interface SourceEntry {
  readonly source: RunDirectory;
  readonly file: RecordFile;
  readonly texts: TextFile;
  readonly place: EntryPlace;
}

/** What is used in this run. */
interface Round {
  readonly inputs: Inputs;
  readonly agents: Set<Agent>;
  /** As they were for the results so far. */
  readonly before: Set<InputSnapshot>;
  isUsed: boolean;
}

interface Comparing extends SourceRuns {
  readonly suites: readonly { readonly file: string }[];
  readonly states: ProjectStates;
  readonly agents: AgentPrints;
  readonly checks: CheckInputs;
  readonly env: Environment;
  readonly redactor: Redactor;
  readonly rerun?: Rerun | undefined;
  /** Agents whose inputs are unknown were called for this already. */
  readonly isFollowUp: boolean;
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
  private readonly snapshots: ReadonlyMap<string, InputSnapshot>;
  /** The snapshots that the records of this plan name. */
  private readonly named = new Set<string>();
  /** What is used in this run, by its snapshot. */
  private readonly rounds = new Map<string, Round>();
  /** The targets that are called because nobody knows what changed, each with the reason. */
  private readonly unknown = new Map<string, string>();

  private constructor(options: Comparing) {
    this.options = options;
    this.earlierCosts = new EarlierCosts(options.others);
    this.snapshots = readSnapshots(options.sources);
    for (const source of options.sources.toReversed()) {
      const file = new RecordFile(source.journalPath);
      const texts = new TextFile(source.textsPath);
      for (const [id, place] of latestEntries(source.journalPath))
        // Without a checksum, the content cannot be verified.
        if (place.isSealed) this.entries.set(id, { source, file, texts, place });
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
    const print = await this.options.agents.of(attempt.file, attempt.target);
    const outcome = record === undefined ? 'called' : await this.outcome(attempt, record, print);
    // A test whose script may no longer run is an error, even if it passed before.
    if (outcome === 'called' || (await this.options.isRefused(attempt))) {
      this.called.push(id);
      this.estimate.add(record === undefined ? this.earlierCosts.of(id) : costOf(record));
    } else {
      this[outcome].add(id);
      this.estimate.learn(costOf(record!));
    }
  }

  private async outcome(
    attempt: PlannedAttempt,
    record: AttemptRecord,
    print: AgentPrint,
  ): Promise<'called' | 'regraded' | 'unchanged'> {
    const { checks, rerun, mayRegrade, redactor } = this.options;
    const isWanted =
      rerun === 'all' ||
      (rerun === 'failed' ? record.verdict !== 'passed' : rerun?.includes(record.id) === true);
    if (isWanted || record.verdict === 'skipped') return 'called';
    // It failed before the agent was called, so trying again costs nothing. A variable or an option may have changed.
    if (record.error !== undefined && record.steps.length === 0) return 'called';
    if (record.agent_print !== print.print) return 'called';
    if (changedQuestion(record, attempt.test, redactor) !== undefined) return 'called';
    if (!this.isSameAgent(attempt, record, print)) return 'called';
    const isSameCheck = this.isSame(record.check_data, await checks.of(attempt)) === true;
    if (record.fingerprint === attempt.fingerprint && isSameCheck) return 'unchanged';
    // What was left in its workspace is gone.
    return mayRegrade && attempt.test.workspace === undefined ? 'regraded' : 'called';
  }

  private isSameAgent({ target }: PlannedAttempt, record: AttemptRecord, print: AgentPrint): boolean {
    const isSame = this.isSame(record.agent_data, print);
    if (typeof isSame === 'boolean') return isSame;
    if (this.options.isFollowUp) return true;
    this.unknown.set(target, isSame.reason);
    return false;
  }

  /** Whether the inputs are as they were, or why nobody knows. */
  private isSame(
    recorded: string | undefined,
    { inputs, snapshot }: CheckPrint,
  ): boolean | { readonly reason: string } {
    if (inputs.from === 'settings') return true;
    if (inputs.from === 'unknown') return inputs;
    const before = recorded === undefined ? undefined : this.snapshots.get(recorded);
    if (before === undefined) return false;
    this.named.add(recorded!);
    this.roundOf(snapshot, inputs).before.add(before);
    if (before.unknown !== undefined) return { reason: before.unknown };
    return inputs.from === 'list'
      ? isSameList(before, inputs.states)
      : isSameState(before, this.options.states, this.options.env);
  }

  private roundOf(snapshot: string, inputs: Inputs): Round {
    let round = this.rounds.get(snapshot);
    if (round === undefined)
      this.rounds.set(
        snapshot,
        (round = {
          inputs,
          agents: new Set(),
          before: new Set(),
          isUsed: false,
        }),
      );
    return round;
  }

  get work(): PlannedWork {
    return {
      attempts: this.called,
      regraded: this.regraded.size,
      unchanged: this.unchanged.size,
      has_other_tests:
        !this.hasSameTests || [...this.unchanged].some((id) => !this.isIn(this.options.continued!, id)),
      unknown: [...this.unknown].map(([target, reason]) => ({
        target,
        reason,
      })),
      outside: this.outside(),
      ...this.estimate.total(this.called.length),
    };
  }

  /** The run to go on with: none if it has other files, or results of tests that are gone. */
  get earlier(): EarlierRun {
    const { continued, rerun } = this.options;
    return { found: rerun === 'all' || !this.hasSameTests ? undefined : continued, damaged: [] };
  }

  private get hasSameTests(): boolean {
    const { continued, suites, states } = this.options;
    if (continued === undefined) return false;
    const before = (continued.description()?.files ?? []).map(({ file }) => file);
    const files = suites.map(({ file }) => relative(states.root, resolve(file)));
    if (JSON.stringify(before.toSorted()) !== JSON.stringify(files.toSorted())) return false;
    return [...this.entries].every(([id, { source }]) => source !== continued || this.planned.has(id));
  }

  /** Keeps what the code of this run used, now that it has ended. Returns the files outside of the project. */
  end(run: string | undefined): readonly string[] {
    const { states, env } = this.options;
    const after = new ProjectStates(states.root);
    const kept = new Map([...this.snapshots].filter(([id]) => this.named.has(id)));
    const all = [...this.rounds.values()].flatMap(({ agents }) => [...agents]);
    const written = new Set(all.flatMap((agent) => agent.inputs?.().written ?? []));
    for (const [id, { inputs, agents, before, isUsed }] of this.rounds) {
      if (!isUsed) continue;
      const earlier = new Set([...before].flatMap(({ changing }) => changing));
      if (inputs.from === 'list') kept.set(id, settleListed(inputs.states, inputs.again(after), earlier));
      if (inputs.from === 'observed') kept.set(id, settleSeen(agents, { earlier, now: after, env, written }));
    }
    if (run !== undefined && kept.size > 0) writeSnapshots(run, kept);
    return [...kept.values()].flatMap((snapshot) => outsideOf(snapshot, after));
  }

  private outside(): readonly string[] {
    const { states } = this.options;
    return [...this.named].flatMap((id) => outsideOf(this.snapshots.get(id)!, states));
  }

  /** The result of an attempt that is as it was. */
  recorded(attemptId: string): AttemptRecord | undefined {
    const id = this.options.redactor.text(attemptId);
    return this.unchanged.has(id) ? this.wholeRecordOf(id) : undefined;
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
    const agent = await this.options.agents.of(attempt.file, attempt.target);
    const checks = await this.options.checks.of(attempt);
    const record = this.regraded.has(id) ? this.wholeRecordOf(id) : undefined;
    if (!this.unchanged.has(id)) {
      this.use(checks);
      if (record === undefined) this.use(agent, attempt.agent);
    }
    const made = {
      ...attempt,
      agentPrint: agent.print,
      agentData: record === undefined ? idOf(agent) : record.agent_data,
      checkData: idOf(checks),
    };
    return record === undefined
      ? made
      : {
          ...made,
          agent: undefined,
          replies: recordedReplies(record),
          repliesOf: record,
        };
  }

  private use({ inputs, snapshot }: CheckPrint, agent?: Agent): void {
    if (snapshot === '') return;
    const round = this.roundOf(snapshot, inputs);
    round.isUsed = true;
    if (agent !== undefined) round.agents.add(agent);
  }

  private recordOf(id: string): AttemptRecord | undefined {
    const entry = this.entries.get(id);
    return entry?.file.recordAt(entry.place);
  }

  /** With what its models were sent: the record becomes part of another run. */
  private wholeRecordOf(id: string): AttemptRecord | undefined {
    const record = this.recordOf(id);
    return record && fillTexts(record, (text) => this.entries.get(id)!.texts.read(text));
  }

  private idOf({ id }: PlannedAttempt): string {
    return this.options.redactor.text(id);
  }
}

function idOf({ inputs, snapshot }: CheckPrint): string | undefined {
  return inputs.from === 'list' || inputs.from === 'observed' ? snapshot : undefined;
}
