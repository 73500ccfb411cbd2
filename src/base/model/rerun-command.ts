import type { Json } from './json.ts';
import type { AttemptRecord } from './record.ts';
import { shellOption, shellPath, shellWord } from './shell-word.ts';

/** The options of a run that decide the verdict of a test: a rerun of it needs them too. */
export interface RerunOptions {
  readonly agent?: string | undefined;
  readonly target?: string | undefined;
  /** The run has several targets: a rerun names that of the test. */
  readonly has_many_targets?: boolean | undefined;
  readonly config?: string | undefined;
  readonly cassettes?: string | undefined;
  readonly cassette_timing?: boolean | undefined;
  readonly allow_scripts?: boolean | undefined;
  readonly observe?: boolean | 'otel' | undefined;
  readonly repeats?: number | 'auto' | undefined;
  readonly confidence?: number | undefined;
  readonly max_repeats?: number | undefined;
  readonly timeout_ms?: number | undefined;
  readonly retry?: number | undefined;
  readonly threshold?: number | undefined;
  readonly strict?: boolean | undefined;
  /** False: judges are called again. */
  readonly cache?: boolean | undefined;
  /** The run was asked for what changed only. */
  readonly changed?: boolean | undefined;
}

/** What `run.json` says about a run. */
interface DescribedRun {
  readonly options: Readonly<Record<string, Json | undefined>>;
  readonly targets?: readonly { readonly name?: unknown }[] | undefined;
}

/** The options that runs have in common: those that differ between them are left out. */
export function rerunOptions(runs: readonly DescribedRun[]): RerunOptions {
  const common = (name: string): Json | undefined => {
    const [first, ...others] = runs.map(({ options }) => options[name]);
    return others.every((other) => other === first) ? first : undefined;
  };
  const text = (name: string): string | undefined => asType(common(name), 'string');
  const number = (name: string): number | undefined => asType(common(name), 'number');
  const flag = (name: string): boolean | undefined => asType(common(name), 'boolean');
  const targets = new Set(runs.flatMap((run) => run.targets ?? []).map(({ name }) => name));
  const agent = text('agent');
  return {
    agent,
    target: text('target'),
    has_many_targets: agent === undefined && targets.size > 1 ? true : undefined,
    config: text('config'),
    cassettes: text('cassettes'),
    cassette_timing: flag('cassetteTiming'),
    allow_scripts: flag('allowScripts'),
    observe: common('observe') === 'otel' ? 'otel' : flag('observe'),
    repeats: common('repeats') === 'auto' ? 'auto' : number('repeats'),
    confidence: number('confidence'),
    max_repeats: number('maxRepeats'),
    timeout_ms: number('timeoutMs'),
    retry: number('retries'),
    threshold: number('threshold'),
    strict: flag('strict'),
    cache: flag('useCache'),
    changed: flag('changed'),
  };
}

interface Types {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}

function asType<T extends keyof Types>(value: Json | undefined, type: T): Types[T] | undefined {
  return typeof value === type ? (value as Types[T]) : undefined;
}

type Rerun = Pick<AttemptRecord, 'file' | 'line' | 'row' | 'test' | 'target'>;

/** The arguments of the command that runs only this test again, as it was run. */
export function rerunCommand(test: Rerun, options: RerunOptions = {}): string {
  const { place, name, own } = rerunParts(test, options);
  const only = name === undefined ? [] : [`-t ${shellWord(name)}`];
  return ['run', shellPath(place), ...only, ...optionWords(own)].join(' ');
}

/** The same for a program, without a shell. */
export function rerunArguments(test: Rerun, options: RerunOptions = {}): readonly string[] {
  const { place, name, own } = rerunParts(test, options);
  const only = name === undefined ? [] : ['-t', name];
  return ['run', pathArgument(place), ...only, ...optionArguments(own)];
}

/** A file that begins with a dash is not an option. */
export function pathArgument(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

function rerunParts(
  { file, line, row, test, target }: Rerun,
  options: RerunOptions,
): { readonly place: string; readonly name: string | undefined; readonly own: RerunOptions } {
  return {
    place: `${file}:${line}`,
    // A row is not a place in the suite: its test is told apart by its name.
    name: row === undefined ? undefined : `^${test.replaceAll(SPECIAL, String.raw`\$&`)}$`,
    own: options.has_many_targets === true ? { ...options, ...agentOf(target) } : options,
  };
}

const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** A merged run has results of several `--agent`s: those are files and commands, not names of a config. */
function agentOf(target: string): Pick<RerunOptions, 'agent' | 'target'> {
  const isAgent = /^(?:\.{0,2}\/|cmd:|https?:)|\.(?:[cm]?[jt]s|py)(?::\w+)?$/.test(target);
  return isAgent ? { agent: target, target: undefined } : { target };
}

/** The options as a shell reads them. */
export function optionWords(options: RerunOptions): readonly string[] {
  return optionPairs(options).map(([name, value]) =>
    value === undefined ? `--${name}` : shellOption(name, value),
  );
}

/** The same for a program. */
export function optionArguments(options: RerunOptions): readonly string[] {
  return optionPairs(options).map(([name, value]) =>
    value === undefined ? `--${name}` : `--${name}=${value}`,
  );
}

function optionPairs(options: RerunOptions): readonly (readonly [name: string, value?: string])[] {
  const { agent, target, config, cassettes, repeats, confidence, max_repeats, retry, threshold } = options;
  const values = {
    agent,
    // A comma would separate two names.
    target: target?.replaceAll(',', String.raw`\,`),
    config,
    // What was recorded is not recorded again.
    cassettes: cassettes === 'record' ? undefined : cassettes,
    repeats,
    confidence,
    'max-repeats': max_repeats,
    timeout: options.timeout_ms === undefined ? undefined : `${options.timeout_ms}ms`,
    retry,
    threshold,
  };
  const flags = {
    'cassette-timing': options.cassette_timing === true,
    'allow-scripts': options.allow_scripts === true,
    observe: options.observe === true,
    'observe=otel': options.observe === 'otel',
    'no-observe': options.observe === false,
    strict: options.strict === true,
    'no-cache': options.cache === false,
  };
  return [
    ...Object.entries(values).flatMap(([name, value]): (readonly [string, string])[] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    ...Object.entries(flags).flatMap(([name, isSet]): (readonly [string])[] => (isSet ? [[name]] : [])),
  ];
}
