import { dirname, resolve } from 'node:path';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import type { PlannedAttempt } from '../../run/plan/plan.ts';
import { listedByGit, newSnapshot, type Inputs } from './agent-prints.ts';
import type { ProjectStates } from './input-snapshot.ts';

export interface CheckPrint {
  readonly inputs: Inputs;
  readonly snapshot: string;
}

interface Project {
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

  of({ file, test }: PlannedAttempt): CheckPrint {
    const folders = new Set<string>();
    for (const assertion of [...test.steps.flatMap((step) => step.assertions), ...test.assertions])
      if (!this.addFolders(assertion, dirname(resolve(file)), folders)) return UNSEEN;
    if (folders.size > 0 && test.workspace === undefined) return UNSEEN;
    if (folders.size === 0) return NO_CODE;
    const key = JSON.stringify([...folders]);
    let known = this.known.get(key);
    if (known === undefined) {
      const inputs = listedByGit([...folders], this.project);
      this.known.set(key, (known = { inputs, snapshot: newSnapshot() }));
    }
    return known;
  }

  /** Where its scripts run. False if it is code that runs in this process, where nobody sees what it reads. */
  private addFolders(assertion: Assertion, folder: string, folders: Set<string>): boolean {
    const { code = [], programs = [] } = this.kinds.of(assertion)?.needs?.(assertion.parameters) ?? {};
    for (const { cwd = '.' } of programs) folders.add(resolve(folder, cwd));
    if (code.length > 0) return false;
    return membersOf(assertion).every((member) => this.addFolders(member, folder, folders));
  }
}

const NO_CODE: CheckPrint = { inputs: { from: 'settings' }, snapshot: '' };
const UNSEEN: CheckPrint = {
  inputs: { from: 'unknown', reason: 'nobody sees what its checks read' },
  snapshot: '',
};
