import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

/** An agent that answers `kind` until a file is edited. */
export interface Kind {
  readonly files?: Readonly<Record<string, string>>;
  /** Its name says its language. Default: `agent.mjs`. */
  readonly agent?: string;
  readonly code: string;
  readonly setUp?: (folder: string) => unknown;
  readonly edit?: (folder: string) => unknown;
  /** Variables that have these values after the edit. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Why Assay cannot know. */
  readonly unknown?: string;
  /** The edit is none for it. */
  readonly isKept?: boolean;
}

export const rude = (name: string) => (folder: string) => writeFileSync(join(folder, name), 'rude');

/**
 * Runs `run --changed` before and after the edit of each agent: what an agent uses is known, or the agent is called. Agents are in
 * files of the `usual` name.
 */
export async function expectKnown(
  usual: string,
  kinds: Readonly<Record<string, Kind>>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const isOfAll = ({ variables = {} }: Kind): boolean =>
    Object.keys(variables).some((name) => !name.startsWith('TEST_'));
  const own = Object.entries(kinds).filter(([, kind]) => !isOfAll(kind));
  await expectKnownTogether(usual, { ...Object.fromEntries(own), ...control(usual) }, env);
  // A change of such a variable is one for every agent.
  for (const [name, kind] of Object.entries(kinds))
    if (isOfAll(kind)) await expectKnownTogether(usual, { [name]: kind }, env);
}

/** What is changed for the others must not call this one. */
function control(usual: string): Readonly<Record<string, Kind>> {
  const code = usual.endsWith('.py')
    ? 'def agent(input):\n    return "kind"'
    : `export const agent = () => 'kind';`;
  return { nothing: { code, isKept: true } };
}

async function expectKnownTogether(
  usual: string,
  kinds: Readonly<Record<string, Kind>>,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const all = Object.entries(kinds).map(([name, kind], index) => ({ name, folder: `t${index}`, ...kind }));
  const files: Record<string, string> = {};
  for (const { folder, files: own = {}, agent = usual, code } of all) {
    for (const [name, text] of Object.entries(own)) files[`${folder}/${name}`] = text;
    files[`${folder}/${agent}`] = `${hereIn(agent)}${code}\n`;
  }
  const { path, remove } = createProject({
    ...files,
    'assay.config.yaml': `targets:\n${all.map(({ folder, agent = usual }) => `  - {name: ${folder}, agent: ./${folder}/${agent}}\n`).join('')}`,
    'a.test.yaml': all
      .map(
        ({ folder }) =>
          `- {id: ${folder}, targets: [${folder}], input: hi, assert: {output.includes: kind}}\n`,
      )
      .join(''),
  });
  try {
    for (const { folder, setUp } of all) await setUp?.(join(path, folder));
    const args = ['run', '--changed', '--reporter', 'json'];
    const run = async (
      more: object = {},
    ): Promise<{ findings: string; of: Record<string, AttemptRecord> }> => {
      const { stdout } = await runCli(args, { cwd: path, env: { ASSAY_ISOLATE: 'true', ...env, ...more } });
      const { results, findings } = JSON.parse(stdout) as {
        readonly results: readonly AttemptRecord[];
        readonly findings: readonly { readonly message: string }[];
      };
      return {
        findings: findings.map(({ message }) => message).join('\n'),
        of: Object.fromEntries(results.map((result) => [result.test, result])),
      };
    };
    const first = await run();
    const second = await run();
    for (const { folder, edit } of all) await edit?.(join(path, folder));
    const third = await run(
      Object.fromEntries(all.flatMap(({ variables = {} }) => Object.entries(variables))),
    );
    const told = all.map(({ name, folder }) => {
      const reason = new RegExp(`which files ${folder} uses \\((.*)\\), so`).exec(second.findings)?.[1];
      const results = [first, second, third].map(({ of }) => of[folder]!);
      const said = results.map(({ verdict, started_at }, index) => {
        const isNew = index === 0 || started_at !== results[index - 1]!.started_at;
        return isNew ? verdict : `${verdict} as before`;
      });
      return describe({ name, said, reason });
    });
    const wanted = all.map(({ name, unknown: reason, isKept = false }) => {
      const again = reason === undefined ? 'passed as before' : 'passed';
      return describe({ name, said: ['passed', again, isKept ? again : 'failed'], reason });
    });
    expect(told).toEqual(wanted);
  } finally {
    remove();
  }
}

/** Where an agent is. */
function hereIn(agent: string): string {
  if (agent.endsWith('.py')) return 'HERE = __import__("os").path.dirname(__file__)\n';
  return agent.endsWith('.mjs') ? 'const HERE = import.meta.dirname;\n' : '';
}

function describe({
  name,
  said,
  reason = '',
}: {
  readonly name: string;
  readonly said: readonly string[];
  readonly reason?: string | undefined;
}): string {
  return `${name}: ${said.join(', ')}${reason && `; unknown, since ${reason}`}`;
}
