import type { JsonObject } from '../../model/json.ts';
import type { RerunOptions } from '../../reporters/reporter.ts';

/**
 * The options of runs that a rerun of one of their tests needs too. Options that differ between runs are left out.
 */
export function rerunOptions(options: readonly JsonObject[]): RerunOptions {
  const common = (name: string): string | undefined => {
    const [first, ...others] = options.map((asked) => asked[name]);
    return typeof first === 'string' && others.every((other) => other === first) ? first : undefined;
  };
  return {
    agent: common('agent'),
    target: common('target'),
    config: common('config'),
    cassettes: common('cassettes'),
  };
}
