/** In one folder the first of these counts. */
export const CONFIG_NAMES: readonly string[] = [
  'ts',
  'mts',
  'cts',
  'js',
  'mjs',
  'cjs',
  'yaml',
  'yml',
  'json',
].map((extension) => `assay.config.${extension}`);

/** Targets files of existing projects; in one folder the first counts, besides an `assay.config.*`. */
export const TARGETS_NAMES: readonly string[] = [
  'targets.yaml',
  'targets.yml',
  '.agentv/targets.yaml',
  '.agentv/targets.yml',
  '.agentv/providers.yaml',
  '.agentv/providers.yml',
];
