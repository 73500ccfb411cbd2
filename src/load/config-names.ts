/** In one folder the first of these counts. */
export const CONFIG_NAMES: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'yaml', 'yml', 'json'].map(
  (extension) => `assay.config.${extension}`,
);
