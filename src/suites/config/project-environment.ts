import { findProjectRoot } from '../load/project-root.ts';
import { readDotEnv } from './dot-env.ts';

/**
 * Does something while `process.env` also holds the variables of the project's `.env`: agents and configs that are
 * code of this process read it there. What is set already stays as it is, and protected variables are never set.
 */
export async function withProjectEnvironment<T>(work: () => Promise<T>): Promise<T> {
  const names = addVariables(findProjectRoot(process.cwd()));
  try {
    return await work();
  } finally {
    for (const name of names) release(name);
  }
}

/** Adds variables that are not set until the function that is returned is called. */
export function lendVariables(variables: Readonly<Record<string, string>>): () => void {
  const names = lend(variables);
  return () => names.forEach(release);
}

interface LentVariable {
  readonly value: string;
  users: number;
}

/** The variables that are in `process.env` only for a while. Runs of one process may overlap. */
const lent = new Map<string, LentVariable>();

function addVariables(projectRoot: string): readonly string[] {
  return lend(readDotEnv(projectRoot, { ...process.env }).env);
}

function lend(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const before = { ...process.env };
  const names: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    const known = lent.get(name);
    if (known !== undefined) known.users++;
    else if (before[name] === undefined && value !== undefined) {
      process.env[name] = value;
      lent.set(name, { value, users: 1 });
    } else continue;
    names.push(name);
  }
  return names;
}

/** What somebody else wrote there since then is theirs. */
function release(name: string): void {
  const variable = lent.get(name)!;
  if (--variable.users > 0) return;
  lent.delete(name);
  if (process.env[name] === variable.value) delete process.env[name];
}
