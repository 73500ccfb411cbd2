import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { AgentWorkspace } from './agent-workspace.ts';

interface Start {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** How a program is started: in its workspace, if there is one. `own` are variables that Assay itself sets for it. */
export async function startIn(
  workspace: AgentWorkspace | undefined,
  { argv, env, cwd }: Start,
  own: NodeJS.ProcessEnv = {},
): Promise<Start> {
  if (workspace === undefined) return { argv, env, cwd };
  const started = await workspace.start(fromElsewhere(argv, cwd), { ...env, ...own }, Object.keys(own));
  return { ...started, cwd: workspace.folder };
}

/** The words of a command whose files are relative to a folder, for a start elsewhere: `node agent.mjs`, `./agent`. */
function fromElsewhere(argv: readonly string[], folder: string): readonly string[] {
  return argv.map((word, index) => {
    if (isAbsolute(word) || word.startsWith('-') || (index === 0 && !word.includes('/'))) return word;
    const path = resolve(folder, word);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : word;
  });
}
