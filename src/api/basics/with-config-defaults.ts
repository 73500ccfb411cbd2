import { configDefaults } from '../../suites/config/config-defaults.ts';

interface Defaulted {
  readonly paths?: readonly string[];
  readonly strict?: boolean | undefined;
  readonly retries?: number | undefined;
  readonly config?: string | undefined;
}

/** Options with what the config says where they are open: `include`, `strict` and `retry`. Every use case agrees on them. */
export async function withConfigDefaults<Options extends Defaulted>(
  options: Options,
  { mayExecute }: { readonly mayExecute: boolean },
): Promise<Options> {
  const { include, strict, retry } = await configDefaults(options.config, { mayExecute });
  const { paths = [] } = options;
  return {
    ...options,
    paths: paths.length === 0 ? include : paths,
    strict: options.strict ?? strict,
    retries: options.retries ?? retry,
  };
}
