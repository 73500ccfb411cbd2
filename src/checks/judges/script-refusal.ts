import type { ScriptRequest } from '../contract/script.ts';

/** Why a program that a suite names does not run. */
export function explainRefusal(script: ScriptRequest['script']): string {
  return `the script ${describeScript(script)} may not run: run with --allow-scripts or set scripts.allow in the config`;
}

export function describeScript(script: ScriptRequest['script']): string {
  const words = typeof script === 'string' ? script : script.join(' ');
  return words.length <= 100 ? words : `${words.slice(0, 100)}...`;
}
