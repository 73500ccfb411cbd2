import { loadUnwatched, runUnwatched, watchProcess } from '../evidence/observe/recorder.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import type { Agent, Observing } from './contract.ts';
import { FileInstances } from './file-instances.ts';
import { createFunctionAgent, type AgentFunction } from './function-agent.ts';
import { offerFunctions } from './agent-file.ts';
import type { LoneModule } from './fresh-modules.ts';
import { loadModule, type UserModule } from './load-module.ts';
import { describeLoadProblem } from './load-problem.ts';

export interface LoadFunctionAgentOptions {
  readonly name: string;
  /** Another export than `agent` or the default. */
  readonly exportName?: string | undefined;
  /** Of the project: what is above it says nothing about how the file is read. */
  readonly root: string;
  /** Whether its model calls are watched. Default: true. */
  readonly observe?: Observing | undefined;
}

/** Loads the function of a JavaScript or TypeScript file. Throws an AgentSetupError that says what was found instead. */
export async function loadFunctionAgent(
  file: string,
  { name, exportName, root, observe = true }: LoadFunctionAgentOptions,
): Promise<Agent> {
  const lone = {};
  const load = async (): Promise<UserModule> => {
    const importNow = () => importAgent(file, { name, root, lone });
    if (!observe) return runUnwatched(importNow);
    // Before its code runs: SDKs take hold of `fetch` when they are loaded.
    const unwatch = watchProcess();
    try {
      return await loadUnwatched(importNow);
    } finally {
      unwatch();
    }
  };
  const module = await load();
  const first = findFunction(module, { name, exportName });
  const instances = new FileInstances(async () => findFunction(await load(), { name, exportName }), first);
  return createFunctionAgent(first, {
    name,
    workers: readWorkers(module, name),
    observe,
    functionFor: (suite) => instances.of(suite),
  });
}

/** How many agents this process has loaded. Each is another instance, also that of another target or run. */
let loaded = 0;

async function importAgent(
  file: string,
  { name, root, lone }: Pick<LoadFunctionAgentOptions, 'name' | 'root'> & { readonly lone: LoneModule },
): Promise<UserModule> {
  try {
    return await loadModule(file, { root, instance: loaded++, lone });
  } catch (error) {
    const { message, hint } = describeLoadProblem(error, import.meta.filename);
    throw new AgentSetupError(`${name} cannot be loaded: ${message}`, { hint, cause: error });
  }
}

function findFunction(
  module: UserModule,
  { name, exportName }: Pick<LoadFunctionAgentOptions, 'name' | 'exportName'>,
): AgentFunction {
  const found =
    exportName === undefined
      ? findUsual(module)
      : (lookUp(module, exportName) ?? lookUp(module['default'], exportName));
  if (typeof found === 'function') return found as AgentFunction;
  const wanted = exportName ?? 'agent';
  const example = `write \`export function ${wanted}(input, memory) { return { output: '...' } }\``;
  if (found !== undefined) {
    throw new AgentSetupError(
      `${name} exports \`${wanted}\`, but it is ${describeType(found)}, not a function`,
      { hint: example },
    );
  }
  const names = Object.keys(module).filter((key) => key !== 'module.exports' && key !== '__esModule');
  const exports = names.length === 0 ? 'nothing' : names.join(', ');
  throw new AgentSetupError(
    `${name} exports no ${exportName === undefined ? 'agent' : `\`${exportName}\``} (it exports ${exports})`,
    {
      hint:
        offerFunctions(
          name,
          names.filter((key) => typeof module[key] === 'function'),
        ) ?? example,
    },
  );
}

/** A CommonJS module is a default export with everything inside; a compiled one has its own default in there. */
function findUsual(module: UserModule): unknown {
  const standard = module['default'];
  const inner = [lookUp(standard, 'agent'), lookUp(standard, 'default')].find((value) => value !== undefined);
  const candidates = [lookUp(module, 'agent'), typeof standard === 'function' ? standard : undefined, inner];
  return candidates.find((value) => value !== undefined);
}

function readWorkers(module: UserModule, name: string): number | undefined {
  const workers = lookUp(module, 'workers') ?? lookUp(module['default'], 'workers');
  if (workers === undefined) return undefined;
  if (typeof workers === 'number' && Number.isSafeInteger(workers) && workers > 0) return workers;
  throw new AgentSetupError(`${name} exports \`workers\`, but it is ${describeType(workers)}`, {
    hint: 'write `export const workers = 8`',
  });
}

function lookUp(value: unknown, key: string): unknown {
  const hasMembers = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return hasMembers && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${String(value)}`;
}
