import { dirname, relative, resolve } from 'node:path';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { LoadedEvaluator } from '../../checks/contract/custom-evaluator.ts';
import type { EvaluatorKind } from '../../checks/contract/evaluator-kind.ts';
import { createAssertionKinds } from '../../checks/registry.ts';
import type { Json } from '../../base/model/json.ts';
import { ConfigLoader } from '../../suites/config/config-loader.ts';
import { configFolder, findConfig, namedConfig, type FoundConfig } from '../../suites/config/find-config.ts';
import type { JoinedConfig } from '../../suites/config/join-configs.ts';
import type { EvaluatorFile } from '../../suites/config/load-config.ts';
import { createFormats, type Formats } from '../../suites/formats/parse-suite.ts';
import type { EvaluatorFiles } from '../../checks/user-code/evaluator-files.ts';
import { knownFormats } from '../../suites/load/known-formats.ts';
import { findProjectRoot, rootForSuite } from '../../suites/load/project-root.ts';
import type { Finding } from '../../base/model/finding.ts';
import { scriptEnvironment } from '../../checks/judges/script-environment.ts';
import type { RegisteredEvaluators } from './register-evaluators.ts';
import { locateEvaluator } from './locate-evaluator.ts';

export interface ProjectEvaluatorsOptions {
  /** `--config`. */
  readonly config?: string | undefined;
  /** `--agent` is given, so a config that may not be used is ignored. */
  readonly isOptional?: boolean | undefined;
  /** Whether this command executes code of the project: configs and evaluators. */
  readonly mayExecute: boolean;
  readonly onSecrets?: ((names: readonly string[], config: Json | undefined) => void) | undefined;
}

/**
 * The evaluators that the configs of suites register, and those that suites name by a file. Files are loaded when the first
 * suite needs them.
 */
export class ProjectEvaluators {
  /** Every kind of assertion, for what was read with these formats. */
  readonly kinds: AssertionKinds;
  /** The configs that were read on the way. */
  readonly configs: ConfigLoader;
  private readonly options: ProjectEvaluatorsOptions;
  private readonly projectRoot = findProjectRoot(process.cwd());
  private readonly found = new Map<string, FoundConfig>();
  private readonly formats = new Map<JoinedConfig, Promise<Formats>>();
  private readonly registered: RegisteredEvaluators[] = [];
  private readonly byFile = new Map<string, EvaluatorKind>();
  private trusted: EvaluatorFiles | undefined;
  private readonly ofSuites = new Map<string, EvaluatorFiles>();

  constructor(options: ProjectEvaluatorsOptions) {
    this.options = options;
    this.configs = new ConfigLoader(({ config, raw }) => options.onSecrets?.(config?.secrets ?? [], raw));
    this.kinds = createAssertionKinds({
      named: [],
      find: (source, kind) => this.byFile.get(`${source}#${kind}`),
    });
  }

  /** What is wrong with evaluator files, as far as suites were read. */
  get findings(): readonly Finding[] {
    return this.registered.flatMap(({ findings }) => findings);
  }

  /** How a suite is read: with the evaluators of its config. */
  readonly formatsOf = async (suite: string): Promise<Formats> => {
    const { paths, findings } = this.configOf(suite);
    const joined = await this.configs.join(paths);
    const unread = findings.flatMap(({ code, file }) => (code === 'config_not_read' ? [file] : []));
    const named = evaluatorFilesOf(joined);
    if (named.length === 0 && unread.length === 0) return knownFormats();
    let formats = this.formats.get(joined);
    if (formats === undefined) this.formats.set(joined, (formats = this.register({ named, unread })));
    return formats;
  };

  /** An evaluator of a file that a suite names. The caller knows that it may run. Rejects if it cannot be loaded. */
  async load(reference: string, suite: string, setup: SuiteSetup): Promise<LoadedEvaluator> {
    const root = rootForSuite(suite, this.projectRoot);
    const located = locateEvaluator(reference, suite, root);
    if ('problem' in located) throw new Error(located.problem);
    const key = JSON.stringify([root, setup.envNames ?? []]);
    let files = this.ofSuites.get(key);
    if (files === undefined) {
      const { EvaluatorFiles: Files } = await import('../../checks/user-code/evaluator-files.ts');
      const env = scriptEnvironment(setup.env, setup.envNames);
      files = this.ofSuites.get(key) ?? new Files({ root, env, isExactEnv: true });
      this.ofSuites.set(key, files);
    }
    const { file, name } = located;
    const evaluators = await files.load(file).catch((error: Error) => {
      throw new Error(`the evaluator file ${relative('', file)} cannot be used: ${error.message}`);
    });
    const evaluator = evaluators.get(name);
    if (evaluator !== undefined) return evaluator;
    throw new Error(
      `${relative('', file)} has no evaluator \`${name}\`: it has ${[...evaluators.keys()].join(', ')}`,
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.trusted, ...this.ofSuites.values()].map((files) => files?.close()));
  }

  private async register({ named, unread }: Registration): Promise<Formats> {
    const [{ EvaluatorFiles: Files }, { registerEvaluators }] = await Promise.all([
      import('../../checks/user-code/evaluator-files.ts'),
      import('./register-evaluators.ts'),
    ]);
    const { projectRoot } = this;
    this.trusted ??= new Files({ root: projectRoot, env: process.env });
    const registered = await registerEvaluators(named, {
      files: this.trusted,
      projectRoot,
      unreadConfigs: unread.map((file) => resolve(file)),
      mayExecute: this.options.mayExecute,
      onUnread: (kind) => this.byFile.set(`${kind.source}#${kind.kind}`, kind),
    });
    this.registered.push(registered);
    for (const kind of registered.kinds) this.byFile.set(`${kind.source}#${kind.kind}`, kind);
    const { kinds, withheld, unread: standIn, explain } = registered;
    return createFormats(createAssertionKinds({ named: kinds, withheld, unread: standIn, explain }));
  }

  private configOf(suite: string): FoundConfig {
    const { config, mayExecute, isOptional } = this.options;
    const key = config === undefined ? dirname(suite) : '--config';
    let found = this.found.get(key);
    if (found === undefined) {
      const root = rootForSuite(suite, this.projectRoot);
      found =
        config === undefined
          ? findConfig(dirname(suite), { root, mayExecute, ...(isOptional === true && { isOptional }) })
          : namedConfig(config, { mayExecute });
      // As they are written elsewhere, so that each is loaded once.
      found = { ...found, paths: found.paths.map((path) => relative('', path)) };
      this.found.set(key, found);
    }
    return found;
  }
}

export interface SuiteSetup {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `scripts.env` of the config. */
  readonly envNames: readonly string[] | undefined;
}

interface Registration {
  readonly named: readonly NamedEvaluatorFile[];
  readonly unread: readonly string[];
}

export interface NamedEvaluatorFile extends EvaluatorFile {
  /** Absolute. */
  readonly absolute: string;
}

/** Those of the config whose settings apply: see `joinConfigs`. */
function evaluatorFilesOf({ files, config }: JoinedConfig): readonly NamedEvaluatorFile[] {
  const from = files.find(
    ({ loaded }) =>
      loaded.config?.evaluators !== undefined && loaded.config.evaluators === config?.evaluators,
  );
  if (from === undefined) return [];
  const folder = configFolder(resolve(from.path));
  return from.loaded.evaluatorFiles.map((each) => ({ ...each, absolute: resolve(folder, each.file) }));
}
