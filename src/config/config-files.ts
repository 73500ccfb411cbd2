import { dirname, relative } from 'node:path';
import type { Finding } from '../model/finding.ts';
import { findConfig, type FoundConfig } from './find-config.ts';
import { loadConfig, type LoadedConfig } from './load-config.ts';

/** A config, and where it stands. */
export interface ConfigAt {
  readonly path: string;
  /** Undefined when it may not be read: nobody knows what it says. */
  readonly loaded?: LoadedConfig | undefined;
}

interface ConfigReading {
  rootOf(file: string): string;
  /** Whether the root's config may be code. */
  readonly mayExecute: boolean;
  onSecrets(names: readonly string[]): void;
}

/** The configs that would be used to run some files, each read once. */
export class ConfigFiles {
  private readonly reading: ConfigReading;
  private readonly byFolder = new Map<string, FoundConfig>();
  private readonly loaded = new Map<string, Promise<LoadedConfig>>();

  constructor(reading: ConfigReading) {
    this.reading = reading;
  }

  /** Undefined when there is none. */
  async of(file: string): Promise<ConfigAt | undefined> {
    const { path, findings } = this.find(file);
    if (path !== undefined) return { path, loaded: await this.load(path) };
    return findings[0] === undefined ? undefined : { path: findings[0].file };
  }

  /** A target of a kind that is not known may be meant for another tool. */
  async findings(files: readonly string[]): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    const shown = new Set<string>();
    for (const file of files) {
      const { path, findings } = this.find(file);
      for (const finding of findings) {
        if (!shown.has(finding.file)) found.push(finding);
        shown.add(finding.file);
      }
      if (path === undefined || shown.has(path)) continue;
      shown.add(path);
      const { findings: own, targetFindings, judgeFindings } = await this.load(path);
      for (const finding of [...own, ...judgeFindings, ...[...targetFindings.values()].flat()]) {
        const isForeign = finding.code === 'unknown_provider';
        found.push(isForeign ? { ...finding, severity: 'warning' } : finding);
      }
    }
    return found;
  }

  private find(file: string): FoundConfig {
    const folder = dirname(file);
    let found = this.byFolder.get(folder);
    if (found === undefined) {
      const { rootOf, mayExecute } = this.reading;
      const { path, findings } = findConfig(folder, { root: rootOf(file), mayExecute });
      found = { path: path === undefined ? undefined : relative('.', path), findings };
      this.byFolder.set(folder, found);
    }
    return found;
  }

  private load(path: string): Promise<LoadedConfig> {
    let loading = this.loaded.get(path);
    if (loading === undefined) {
      loading = loadConfig(path).then((loaded) => {
        this.reading.onSecrets(loaded.config?.secrets ?? []);
        return loaded;
      });
      this.loaded.set(path, loading);
    }
    return loading;
  }
}
