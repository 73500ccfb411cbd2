import { dirname, resolve } from 'node:path';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import type { PlannedAttempt } from '../../run/plan/plan.ts';
import { listedByGit, newSnapshot, type Inputs } from './agent-prints.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { ProjectStates, States } from './input-snapshot.ts';

export interface CheckPrint {
  readonly inputs: Inputs;
  readonly snapshot: string;
}

interface Project {
  readonly resolver: Pick<TargetResolver, 'env' | 'judgesFor'>;
  readonly states: ProjectStates;
  /** The files that are run. */
  readonly suites: readonly string[];
}

/** What the code of evaluators and scripts may read while they grade: anything. Where grading again would call the agent, the files in their folders. */
export class CheckInputs {
  private readonly kinds: AssertionKinds;
  private readonly project: Project;
  private readonly known = new Map<string, CheckPrint>();

  constructor(kinds: AssertionKinds, project: Project) {
    this.kinds = kinds;
    this.project = project;
  }

  async of({ file, test }: PlannedAttempt): Promise<CheckPrint> {
    const folders = new Set<string>();
    const all = [...test.steps.flatMap((step) => step.assertions), ...test.assertions];
    for (const assertion of all)
      if (!this.addFolders(assertion, dirname(resolve(file)), folders)) return UNSEEN;
    if (folders.size > 0 && test.workspace === undefined) return UNSEEN;
    const judges = all.some((assertion) => this.isJudged(assertion)) ? await this.printJudges(file) : '';
    if (folders.size === 0 && judges === '') return NO_CODE;
    const key = JSON.stringify([judges, ...folders]);
    let known = this.known.get(key);
    if (known === undefined) {
      const listed = listedByGit([...folders], this.project);
      const inputs = judges === '' ? listed : withState(listed, { 'variables of judges': judges });
      this.known.set(key, (known = { inputs, snapshot: newSnapshot() }));
    }
    return known;
  }

  private isJudged(assertion: Assertion): boolean {
    const { judges = [] } = this.kinds.of(assertion)?.needs?.(assertion.parameters) ?? {};
    return judges.length > 0 || membersOf(assertion).some((member) => this.isJudged(member));
  }

  /** The values of variables that say which models judge, as a hash. A key says nothing about verdicts. */
  private async printJudges(file: string): Promise<string> {
    const { resolver } = this.project;
    const { judge, targets } = await resolver.judgesFor(file);
    const text = JSON.stringify([judge, targets], (name, value: unknown) =>
      name === 'api_key' ? undefined : value,
    );
    const named = [...text.matchAll(/\$\{\{\s*(\w+)/g)].map(([, name]) => name!);
    const names = [...new Set([...ADDRESSES, ...named])];
    return hashHex(JSON.stringify(names.map((name) => [name, resolver.env[name] ?? null])));
  }

  /** Where its scripts run. False if it is code that runs in this process, where nobody sees what it reads. */
  private addFolders(assertion: Assertion, folder: string, folders: Set<string>): boolean {
    const { code = [], programs = [] } = this.kinds.of(assertion)?.needs?.(assertion.parameters) ?? {};
    for (const { cwd = '.' } of programs) folders.add(resolve(folder, cwd));
    if (code.length > 0) return false;
    return membersOf(assertion).every((member) => this.addFolders(member, folder, folders));
  }
}

function withState(inputs: Inputs, state: States): Inputs {
  if (inputs.from !== 'list') return inputs;
  return {
    from: 'list',
    states: { ...inputs.states, ...state },
    again: (now) => ({ ...inputs.again(now), ...state }),
  };
}

/** They are read without being named: see src/agents/llm/create-model.ts. */
const ADDRESSES = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'];

const NO_CODE: CheckPrint = { inputs: { from: 'settings' }, snapshot: '' };
const UNSEEN: CheckPrint = {
  inputs: { from: 'unknown', reason: 'nobody sees what its checks read' },
  snapshot: '',
};
