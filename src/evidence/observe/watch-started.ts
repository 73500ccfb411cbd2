import { channel } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { overrideMethod } from './override-method.ts';
import type { Observation } from './observation.ts';

type Agent = () => Observation | undefined;

/**
 * Notes the programs and threads that agents start: what is done there is not seen. Node tells of both. It does not tell of programs
 * that are waited for in place, so the functions that start those are watched, once somebody has loaded them.
 */
export function watchStarted(agent: Agent): () => void {
  const onProgram = (message: unknown): void => {
    const { process: child } = message as {
      readonly process: { readonly spawnfile?: unknown };
    };
    const observation = agent();
    // The name is not set yet.
    if (observation !== undefined) observation.noteStarted(() => nameOf(child.spawnfile));
  };
  const onThread = (): void => agent()?.noteStarted(() => 'a worker thread');
  const programs = channel('child_process');
  const threads = channel('worker_threads');
  programs.subscribe(onProgram);
  threads.subscribe(onThread);
  watching = { agent, unpatch: undefined };
  modulesSeen = -1;
  lookForPrograms();
  return () => {
    programs.unsubscribe(onProgram);
    threads.unsubscribe(onThread);
    watching?.unpatch?.();
    watching = undefined;
  };
}

let watching: { readonly agent: Agent; unpatch: (() => void) | undefined } | undefined;
let modulesSeen = -1;
/** Grows when Node loads one of its own modules. */
const { moduleLoadList = [] } = process as unknown as { readonly moduleLoadList?: readonly string[] };

/** To be called before an agent is: it may have loaded `node:child_process` by now. */
export function lookForPrograms(): void {
  if (watching === undefined || watching.unpatch !== undefined) return;
  if (moduleLoadList.length === modulesSeen) return;
  modulesSeen = moduleLoadList.length;
  if (moduleLoadList.includes('NativeModule child_process')) watching.unpatch = patch(watching.agent);
}

const IN_PLACE = ['spawnSync', 'execFileSync', 'execSync'] as const;

function patch(agent: Agent): () => void {
  const programs = process.getBuiltinModule('node:child_process') as unknown as Record<
    (typeof IN_PLACE)[number],
    (...args: unknown[]) => unknown
  >;
  const unpatches = IN_PLACE.map((name) =>
    overrideMethod(
      programs,
      name,
      (original) =>
        function (this: unknown, ...args) {
          agent()?.noteStarted(() => nameOf(name === 'execSync' ? 'sh' : args[0]));
          return original.apply(this, args);
        },
    ),
  );
  syncBuiltinESMExports();
  return () => {
    unpatches.forEach((unpatch) => unpatch());
    syncBuiltinESMExports();
  };
}

function nameOf(file: unknown): string {
  return typeof file === 'string' && file !== '' ? basename(file) : 'a program';
}
