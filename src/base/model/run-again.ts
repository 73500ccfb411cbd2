import { isJsonObject, type Json } from './json.ts';
import {
  optionArguments,
  optionWords,
  pathArgument,
  rerunOptions,
  type RerunOptions,
} from './rerun-command.ts';
import { shellPath } from './shell-word.ts';

/** What `run.json` says, as far as a rerun needs it. A manually edited one may contain anything. */
export interface DescribedOptions {
  readonly options?: unknown;
  readonly targets?: unknown;
}

/** What a run was started with: its files, its targets, and the options that decide verdicts. */
interface Given {
  readonly paths: readonly string[];
  readonly targets: readonly string[];
  readonly options: RerunOptions;
}

/** The options of a run that a rerun needs too. */
export function givenOptions({ options, targets }: DescribedOptions): RerunOptions {
  if (!isObject(options)) return {};
  return rerunOptions([{ options, targets: Array.isArray(targets) ? targets.filter(isObject) : [] }]);
}

/** Something else made the replies of this run: Assay knows no agent of theirs that it could ask again. */
export function isOfRecordings({ options }: DescribedOptions): boolean {
  return isObject(options) && (options['imported'] === true || options['recordings'] !== undefined);
}

/** The words after `assay run`: the same files, targets and options, and `more`. */
export function againWords(description: DescribedOptions, more: readonly string[]): readonly string[] {
  const { paths, targets, options } = given(description);
  return [
    ...paths.map(shellPath),
    ...targets.flatMap((target) => optionWords({ target })),
    ...optionWords(options),
    ...more,
  ];
}

/** The same as arguments of a program. `target`: only this one. */
export function againArguments(
  description: DescribedOptions,
  { target, more = [] }: { readonly target?: string | undefined; readonly more?: readonly string[] },
): readonly string[] {
  const { paths, targets, options } = given(description);
  const named = target === undefined ? targets : [target];
  return [
    'run',
    ...paths.map(pathArgument),
    ...named.flatMap((name) => optionArguments({ target: name })),
    ...optionArguments({ ...options, target: undefined }),
    ...more,
  ];
}

function given(description: DescribedOptions): Given {
  const { options } = description;
  if (!isObject(options)) return { paths: [], targets: [], options: {} };
  const { paths, target } = options;
  return { paths: textsIn(paths), targets: textsIn(target), options: givenOptions(description) };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function isObject(value: unknown): value is Readonly<Record<string, Json>> {
  return value !== undefined && isJsonObject(value as Json);
}
