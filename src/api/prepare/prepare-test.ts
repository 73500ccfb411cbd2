import { readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { copyTree } from '../../agents/workspace/copy-tree.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import { AgentError } from '../../agents/contract.ts';
import { conversationText } from '../../base/model/content-text.ts';
import { TargetError } from '../../suites/config/target-error.ts';
import { createWorkspaces } from '../evaluation/workspaces.ts';
import { withOneTest, type OneTestOptions } from './one-test.ts';

export interface PrepareOptions extends OneTestOptions {
  /** A folder that does not exist, or is empty. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

interface Prepared {
  readonly file: string;
  readonly id: string;
  /** What each step asks of the agent. */
  readonly inputs: readonly string[];
}

/** Writes the workspace of a test for a person or another harness. */
export function prepareTest(options: PrepareOptions): Promise<Prepared> {
  const folder = resolve(options.folder);
  const problem = whyNotNew(folder);
  if (problem !== undefined)
    return Promise.reject(
      new TargetError(`${options.folder} ${problem}`, { hint: 'name a folder that does not exist' }),
    );
  return withOneTest(options, async ({ file, test, resolver }) => {
    const workspaces = createWorkspaces({ resolver, allowScripts: options.allowScripts === true });
    const { signal } = options;
    try {
      // Someone else starts the agent, so nothing of its environment is enforced, and nothing is torn down.
      const { environment: _, teardown: _none, ...plan } = test.workspace!;
      const opened = await workspaces.open({
        id: test.id,
        file,
        plan: { git: 'fresh', ...plan },
        sealing: undefined,
        signal,
      });
      try {
        makeFolder(folder);
        await copyTree(opened.folder, folder);
      } finally {
        await opened.finish(false);
      }
      return {
        file,
        id: test.id,
        inputs: test.steps.map(({ input_messages }) => conversationText(input_messages, 'named')),
      };
    } catch (error) {
      const isOurs = error instanceof AgentError || (error as NodeJS.ErrnoException).code !== undefined;
      throw isOurs ? new TargetError((error as Error).message) : error;
    } finally {
      await workspaces.close();
    }
  });
}

function whyNotNew(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return 'is not a folder';
  return readdirSync(folder).length > 0 ? 'is not empty' : undefined;
}
