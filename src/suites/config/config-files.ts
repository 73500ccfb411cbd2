import { dirname, relative } from 'node:path';
import type { Finding } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import { ConfigLoader } from './config-loader.ts';
import { findConfig, type FoundConfig } from './find-config.ts';
import { allTargets } from './find-target.ts';
import type { JoinedConfig } from './join-configs.ts';

/** What is known about the configs of a suite. */
export interface KnownConfig {
  readonly joined: JoinedConfig;
  /** A config that may not be read, so its content is unknown. */
  readonly unread?: string | undefined;
}

interface ConfigReading {
  rootOf(file: string): string;
  /** Whether the root's config may be code. */
  readonly mayExecute: boolean;
  onSecrets(names: readonly string[], config: Json | undefined): void;
}

/** The configs that would be used to run some files. Each is read once. */
export class ConfigFiles {
  private readonly reading: ConfigReading;
  private readonly byFolder = new Map<string, FoundConfig>();
  private readonly loader: ConfigLoader;

  constructor(reading: ConfigReading) {
    this.reading = reading;
    this.loader = new ConfigLoader(({ config, raw }) => reading.onSecrets(config?.secrets ?? [], raw));
  }

  async of(file: string): Promise<KnownConfig> {
    const { paths, findings } = this.find(file);
    return { joined: await this.loader.join(paths), unread: findings[0]?.file };
  }

  /** A target of an unknown kind may be meant for another tool. */
  async findings(files: readonly string[]): Promise<readonly Finding[]> {
    const found = new Map<string, Finding>();
    const add = (finding: Finding): void => {
      const isForeign = finding.code === 'unknown_provider';
      const { file, line, column, code, message } = finding;
      const key = JSON.stringify([file, line, column, code, message]);
      found.set(key, isForeign ? { ...finding, severity: 'warning' } : finding);
    };
    const seen = new Set<string>();
    for (const file of files) {
      const { paths, findings } = this.find(file);
      const key = JSON.stringify([paths, findings]);
      if (seen.has(key)) continue;
      seen.add(key);
      for (const finding of findings) add(finding);
      const joined = await this.loader.join(paths);
      const targets = allTargets(joined.config ?? {});
      const isKnown = joined.config !== undefined && findings.length === 0;
      for (const { loaded } of joined.files) {
        const judges = isKnown ? loaded.checkJudges(targets) : [];
        for (const finding of [...loaded.findings, ...judges, ...[...loaded.targetFindings.values()].flat()])
          add(finding);
      }
      for (const finding of joined.findings) add(finding);
    }
    return [...found.values()];
  }

  private find(file: string): FoundConfig {
    const folder = dirname(file);
    let found = this.byFolder.get(folder);
    if (found === undefined) {
      const { rootOf, mayExecute } = this.reading;
      const { paths, findings } = findConfig(folder, { root: rootOf(file), mayExecute });
      found = { paths: paths.map((path) => relative('.', path)), findings };
      this.byFolder.set(folder, found);
    }
    return found;
  }
}
