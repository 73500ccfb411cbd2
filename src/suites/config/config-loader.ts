import { joinConfigs, type JoinedConfig } from './join-configs.ts';
import { loadConfig, type LoadedConfig } from './load-config.ts';

/** Loads configs, and joins those that apply together. Each is loaded once. */
export class ConfigLoader {
  private readonly onLoad: (loaded: LoadedConfig) => void;
  private readonly loading = new Map<string, Promise<LoadedConfig>>();
  private readonly joining = new Map<string, Promise<JoinedConfig>>();

  /** Called with each config as soon as it is read. */
  constructor(onLoad: (loaded: LoadedConfig) => void) {
    this.onLoad = onLoad;
  }

  /** Returns the same object for the same paths, so that joined configs can be compared by identity. */
  join(paths: readonly string[]): Promise<JoinedConfig> {
    const key = paths.join('\0');
    let joining = this.joining.get(key);
    if (joining === undefined) {
      const files = paths.map(async (path) => ({ path, loaded: await this.load(path) }));
      this.joining.set(key, (joining = Promise.all(files).then(joinConfigs)));
    }
    return joining;
  }

  /** Every config that was loaded. */
  all(): Promise<readonly LoadedConfig[]> {
    return Promise.all(this.loading.values());
  }

  private load(path: string): Promise<LoadedConfig> {
    let loading = this.loading.get(path);
    if (loading === undefined) {
      loading = loadConfig(path).then((loaded) => {
        this.onLoad(loaded);
        return loaded;
      });
      this.loading.set(path, loading);
    }
    return loading;
  }
}
