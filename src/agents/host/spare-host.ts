import { onCommandEnd } from '../../base/system/command-end.ts';
import { builtFile } from '../processes/built-file.ts';
import { ProcessGroup, type ProcessOptions } from '../processes/process-group.ts';

/** Descriptors 3 and 4 are the pipes of src/agents/processes/host-process.ts. */
const STDIO = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const;

type Variables = ProcessOptions['env'];

export interface StartedHost {
  readonly group: ProcessGroup;
  /** To be set before the agent is loaded; null: to be removed. */
  readonly variables: Readonly<Record<string, string | null>>;
}

interface Spare {
  readonly group: Promise<ProcessGroup>;
  readonly cwd: string;
  readonly env: Variables;
}

let spare: Spare | undefined;

/** A process for the agent that will probably be needed: it starts while the suites are loaded. */
export function startSpareHost(): void {
  const place = { cwd: process.cwd(), env: { ...process.env } };
  const group = startGroup(place);
  spare = { group, ...place };
  group.catch(() => {});
  onCommandEnd(() => {
    if (spare?.group !== group) return;
    spare = undefined;
    void group.then(
      (unused) => unused.kill(),
      () => {},
    );
  });
}

/** The spare one, if it is like the one that is wanted; else a new one. Throws a SpawnError if it cannot be started. */
export async function startHost({ cwd, env }: ProcessOptions): Promise<StartedHost> {
  const variables = spare?.cwd === cwd ? differing(spare.env, env) : undefined;
  if (variables === undefined) return { group: await startGroup({ cwd, env }), variables: {} };
  const { group } = spare!;
  spare = undefined;
  return { group: await group, variables };
}

function startGroup(place: ProcessOptions): Promise<ProcessGroup> {
  return ProcessGroup.start([process.execPath, ...nodeOptions(), builtFile('agent-host')], [...STDIO], place);
}

/** Undefined if a variable differs that counts when a process starts. */
function differing(before: Variables, now: Variables): StartedHost['variables'] | undefined {
  const variables: Record<string, string | null> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (before[name] === now[name]) continue;
    if (/^(?:NODE|LD|DYLD|UV|SSL)_/.test(name)) return undefined;
    variables[name] = now[name] ?? null;
  }
  return variables;
}

/** Those of this process count for the code of users too, apart from what is to be executed, debuggers and profilers. */
function nodeOptions(): readonly string[] {
  const { execArgv } = process;
  return execArgv.filter((option, index) => {
    const before = execArgv[index - 1] ?? '';
    const isValue = NOT_FOR_HOSTS.test(before) && !option.startsWith('-');
    return !isValue && !NOT_FOR_HOSTS.test(option) && !CODE.test(before);
  });
}

const CODE = /^(?:-e|--eval|-p|--print|-pe)$/;
const NOT_FOR_HOSTS =
  /^(?:-e|-p|-pe|-i|-c|--(?:eval|print|interactive|check|input-type|test|watch|inspect|cpu-prof|heap-prof|prof)\b.*)$/;
