import { parseDocument } from '../formats/document.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import { fileFinding, readSuiteFile } from '../load/read-suite-file.ts';
import { Reader, type Source } from '../schema/reader.ts';
import { loadModule } from '../agents/load-module.ts';
import type { AssayConfig } from './config.ts';
import { configSchema } from './config-schema.ts';

export interface LoadedConfig {
  /** Undefined when there are errors. */
  readonly config?: AssayConfig | undefined;
  readonly findings: readonly Finding[];
}

/** Loads and checks a config. It is trusted: a TypeScript or JavaScript one is executed. */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  return /\.ya?ml$/i.test(file) ? loadYamlConfig(file) : loadModuleConfig(file);
}

function loadYamlConfig(file: string): LoadedConfig {
  const read = readSuiteFile(file);
  if ('finding' in read) return { findings: [read.finding] };
  const document = parseDocument(file, read.text, 'core');
  if (!('source' in document)) return { findings: document.findings };
  const checked = check(document.value, document.source);
  return { ...checked, findings: [...document.findings, ...checked.findings] };
}

async function loadModuleConfig(file: string): Promise<LoadedConfig> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await loadModule(file);
  } catch (error) {
    return { findings: [fileFinding(file, 'config', `the config cannot be loaded: ${(error as Error).message}`)] };
  }
  const config = module['default'] ?? module['config'];
  if (config === undefined) {
    return { findings: [fileFinding(file, 'config', 'the config exports nothing', 'write `export default defineConfig({ ... })`')] };
  }
  return check(config as Json, { file, isLazy: false, locate: () => ({ line: 1, column: 1 }) });
}

function check(value: Json, source: Source): LoadedConfig {
  const reader = new Reader(source);
  const config = configSchema.read(value ?? {}, reader);
  return { config: hasErrors(reader.findings) ? undefined : config, findings: reader.findings };
}
