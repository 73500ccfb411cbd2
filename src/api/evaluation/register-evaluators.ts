import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { EvaluatorKind } from '../../checks/contract/evaluator-kind.ts';
import { configEvaluator } from '../../checks/custom/config-evaluator.ts';
import { isEvaluatorFile } from '../../checks/custom/evaluator-reference.ts';
import { unreadEvaluator } from '../../checks/custom/unread-evaluator.ts';
import { createAssertionKinds } from '../../checks/registry.ts';
import { EvaluatorFileError } from '../../checks/user-code/evaluator-file-error.ts';
import type { EvaluatorFiles } from '../../checks/user-code/evaluator-files.ts';
import type { codeFiles } from '../../base/files/listed-files.ts';
import type { Finding } from '../../base/model/finding.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import type { NamedEvaluatorFile } from './project-evaluators.ts';

export interface RegisteredEvaluators {
  readonly kinds: readonly EvaluatorKind[];
  /** Built-in evaluators whose name one of the files has too. */
  readonly withheld: ReadonlySet<string>;
  /** Grows while suites are read that use what was not read. */
  readonly findings: readonly Finding[];
  /** Stands in for an evaluator whose code was not read. */
  unread(type: string): EvaluatorKind | undefined;
  /** Why a type may be unknown although the config names files. */
  explain(type: string): string | undefined;
}

interface Registering {
  readonly files: EvaluatorFiles;
  readonly projectRoot: string;
  /** Configs that are code and were not executed: they may name files too. */
  readonly unreadConfigs: readonly string[];
  readonly mayExecute: boolean;
  onUnread(kind: EvaluatorKind): void;
}

/** The kinds that the files of a config define. Two of one name, or one named like a built-in evaluator, are errors. */
export async function registerEvaluators(
  named: readonly NamedEvaluatorFile[],
  registering: Registering,
): Promise<RegisteredEvaluators> {
  const { files, projectRoot, mayExecute } = registering;
  const findings: Finding[] = [];
  const kinds = new Map<string, EvaluatorKind>();
  const code = named.map(({ absolute }) => absolute);
  const withheld = new Set<string>();
  const taken = builtInNames();
  for (const each of named) {
    if (!mayExecute) {
      const problem = visibleProblem(each.absolute);
      if (problem !== undefined) findings.push(findingAt(each, { code: 'evaluator_file', message: problem }));
      continue;
    }
    const source = relative(projectRoot, each.absolute);
    try {
      for (const evaluator of (await files.load(each.absolute)).values()) {
        const owner = taken.get(simple(evaluator.name));
        if (owner === undefined) {
          taken.set(simple(evaluator.name), { file: each.file, name: evaluator.name });
          kinds.set(evaluator.name, configEvaluator(evaluator, { source, code }));
          continue;
        }
        // Which of the two is meant is not known: neither can be used.
        kinds.delete(owner.name);
        if (owner.file === undefined) withheld.add(owner.name);
        findings.push(
          findingAt(each, { code: 'duplicate_evaluator', message: describeTaken(evaluator.name, owner) }),
        );
      }
    } catch (error) {
      if (!(error instanceof EvaluatorFileError)) throw error;
      const message = `${each.file} cannot be used: ${error.message}`;
      findings.push(findingAt(each, { code: 'evaluator_file', message }));
    }
  }
  const hasFailed = findings.length > 0;
  return {
    kinds: [...kinds.values()],
    withheld,
    findings,
    unread: mayExecute ? () => undefined : await standIns(named, { ...registering, code, findings }),
    explain: () => (hasFailed ? 'an evaluator file of the config cannot be used: see above' : undefined),
  };
}

interface Owner {
  readonly name: string;
  /** Undefined for a built-in evaluator. */
  readonly file?: string;
}

function describeTaken(name: string, { file }: Owner): string {
  const whose = file === undefined ? 'of a built-in evaluator' : `of an evaluator in ${file}`;
  return `${quoteName(name)} is already the name ${whose}: rename one of them`;
}

/** By their simplified names: `is-json` would be confused with `is_json`. */
function builtInNames(): Map<string, Owner> {
  const { evaluators } = createAssertionKinds();
  return new Map(
    evaluators.flatMap(({ kind, otherNames }) =>
      [kind, ...otherNames].map((name) => [simple(name), { name }]),
    ),
  );
}

function simple(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

function visibleProblem(path: string): string | undefined {
  if (!isEvaluatorFile(path))
    return 'evaluators are written in .ts, .js, .mts, .mjs, .cts, .cjs or .py files';
  return existsSync(path) ? undefined : `there is no file ${relative('', path)}`;
}

interface StandIns extends Registering {
  readonly code: readonly string[];
  readonly findings: Finding[];
}

/**
 * A type that the unread code mentions is taken for one of its evaluators, and one warning says that nobody checked it. Any
 * other unknown type is a mistake.
 */
async function standIns(
  named: readonly NamedEvaluatorFile[],
  { code, unreadConfigs, projectRoot, findings, onUnread }: StandIns,
): Promise<RegisteredEvaluators['unread']> {
  // Only commands that execute nothing of the project get here: no run loads this.
  const { codeFiles: list } = await import('../../base/files/listed-files.ts');
  let texts: ReadonlyMap<string, string> | undefined;
  const known = new Map<string, EvaluatorKind | undefined>();
  return (type) => {
    if (known.has(type)) return known.get(type);
    texts ??= readTexts([...code, ...unreadConfigs], list);
    const source = [...texts].find(([, text]) => mentions(text, type))?.[0];
    const kind =
      source === undefined
        ? undefined
        : unreadEvaluator(type, { source: relative(projectRoot, source), code });
    if (kind !== undefined) {
      onUnread(kind);
      const [first] = named;
      if (first !== undefined && !findings.some(({ code: each }) => each === 'evaluators_not_read'))
        findings.push(notRead(first));
    }
    known.set(type, kind);
    return kind;
  };
}

function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + name.length]];
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

/** The files, and the code beside and below them, which they may load, as text. */
function readTexts(starts: readonly string[], list: typeof codeFiles): ReadonlyMap<string, string> {
  const present = starts.filter((path) => existsSync(path));
  const folders = [...new Set(present.map((path) => dirname(path)))];
  const files = [...present, ...folders.flatMap((folder) => list(folder))].filter(isEvaluatorFile);
  return new Map(files.map((path) => [path, readFileSync(path, 'utf8')]));
}

function notRead({ place, file }: NamedEvaluatorFile): Finding {
  return {
    severity: 'warning',
    code: 'evaluators_not_read',
    message: `this command does not execute project code, so the evaluators of ${file} and their fields were not checked`,
    hint: 'add --trust-config to load them',
    ...place,
  };
}

function findingAt({ place }: NamedEvaluatorFile, problem: Pick<Finding, 'code' | 'message'>): Finding {
  return { severity: 'error', ...problem, ...place };
}
