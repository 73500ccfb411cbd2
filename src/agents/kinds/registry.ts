import { acp, copilot } from './acp.ts';
import { address } from './address.ts';
import { chat } from './chat.ts';
import { claudeCode, codex, geminiCli, opencode } from './coding-agent.ts';
import { commandLine } from './command-line.ts';
import { command } from './command.ts';
import { functionFile } from './function-file.ts';
import { mock } from './mock.ts';
import { pythonFile } from './python-file.ts';
import type { AnyTarget, TargetKind } from './target-kind.ts';
import { template } from './template.ts';
import { url } from './url.ts';

/** Every kind of target, each in its own file. The first one that matches a target wins. */
const KINDS = [
  chat,
  mock,
  claudeCode,
  codex,
  geminiCli,
  opencode,
  acp,
  copilot,
  pythonFile,
  commandLine,
  address,
  functionFile,
  template,
  command,
  url,
] as const;

export const TARGET_KINDS: readonly TargetKind[] = KINDS;

/** The fields of targets of any kind. */
export type TargetFields = AnyTarget & AnyOf<TargetOf<(typeof KINDS)[number]>>;

type TargetOf<K> = K extends TargetKind<infer T> ? T : never;
type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
/** Every key of some objects, with all its possible values. */
type AnyOf<T> = { readonly [K in Exclude<KeyOf<T>, keyof AnyTarget>]?: ValueOf<T, K> };
