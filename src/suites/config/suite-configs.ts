import { dirname, relative } from 'node:path';
import { rootForSuite } from '../load/project-root.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import { ConfigLoader } from './config-loader.ts';
import { findConfig, namedConfig, type FoundConfig } from './find-config.ts';
import type { JoinedConfig } from './join-configs.ts';
import { TargetError } from './target-error.ts';

interface SuiteConfigOptions {
  /** `--config`: use only this config. */
  readonly config?: string | undefined;
  /** `--agent`: no target of a config is needed. */
  readonly agent?: unknown;
  /** Configs that were read already. */
  readonly configs?: ConfigLoader | undefined;
  /** Told the variables whose values a config wants kept secret, as soon as it is read. */
  readonly onSecrets?: ((names: readonly string[], config: Json | undefined) => void) | undefined;
  /** Whether the root's config may be code, which is executed. */
  readonly mayExecute: boolean;
  /** No agent is needed: a config that may not be used is ignored. */
  readonly isOptional?: boolean;
}

/** The configs of suites: the nearest files to each, joined. Each file is read once. */
export class SuiteConfigs {
  /** What is wrong with the configs in use. */
  readonly findings: Finding[] = [];
  readonly loader: ConfigLoader;
  private readonly options: SuiteConfigOptions;
  private readonly projectRoot: string;
  /** By folder. */
  private readonly foundConfigs = new Map<string, FoundConfig>();
  private readonly joinedConfigs = new Map<FoundConfig, Promise<JoinedConfig>>();

  constructor(options: SuiteConfigOptions, projectRoot: string) {
    this.options = options;
    this.projectRoot = projectRoot;
    this.loader =
      options.configs ??
      new ConfigLoader(({ config, raw }) => options.onSecrets?.(config?.secrets ?? [], raw));
  }

  /** The suite cannot run: its config may not be used. */
  isRefused(file: string): boolean {
    return hasErrors(this.found(file).findings);
  }

  /** The content of a suite's config is unknown: it is code, and was not executed. */
  isUnread(file: string): boolean {
    return this.found(file).findings.some(({ code }) => code === 'config_not_read');
  }

  /** Throws when the config has errors. */
  async joined(file: string): Promise<JoinedConfig> {
    const found = this.found(file);
    if (hasErrors(found.findings))
      throw new TargetError(`the config of ${file} may not be used`, { findings: found.findings });
    let joining = this.joinedConfigs.get(found);
    if (joining === undefined) this.joinedConfigs.set(found, (joining = this.join(found)));
    return joining;
  }

  private async join({ paths }: FoundConfig): Promise<JoinedConfig> {
    const joined = await this.loader.join(paths);
    for (const finding of joined.files.flatMap(({ loaded }) => loaded.findings)) this.note(finding);
    for (const finding of joined.findings) this.note(finding);
    const broken = joined.files.find(({ loaded }) => loaded.config === undefined);
    if (broken !== undefined)
      throw new TargetError(`the config ${broken.path} has errors`, { findings: broken.loaded.findings });
    return joined;
  }

  /** Which files are the config of a suite. */
  found(file: string): FoundConfig {
    const { config, agent, mayExecute, isOptional = agent !== undefined } = this.options;
    const key = config === undefined ? dirname(file) : '--config';
    let found = this.foundConfigs.get(key);
    if (found === undefined) {
      const root = rootForSuite(file, this.projectRoot);
      found =
        config === undefined
          ? findConfig(dirname(file), { root, mayExecute, isOptional })
          : namedConfig(config, { mayExecute });
      // The way people write them, since findings and hints show them.
      found = { ...found, paths: found.paths.map((path) => relative('', path)) };
      this.foundConfigs.set(key, found);
      for (const finding of found.findings) this.note(finding);
    }
    return found;
  }

  /** Suites in many folders may share a config, and each problem is reported once. */
  note(finding: Finding): void {
    const isKnown = this.findings.some(
      ({ file, code, line, message }) =>
        file === finding.file &&
        code === finding.code &&
        line === finding.line &&
        message === finding.message,
    );
    if (!isKnown) this.findings.push(finding);
  }
}
