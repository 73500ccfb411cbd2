import type { JsonObject } from '../../model/json.ts';
import type { RerunOptions } from '../../reporters/reporter.ts';

/** Of what runs were asked: what running one of their tests again must say too. Runs that differ agree on nothing. */
export function rerunOptions(options: readonly JsonObject[]): RerunOptions {
  const common = (name: string): string | undefined => {
    const [first, ...others] = options.map((asked) => asked[name]);
    return typeof first === 'string' && others.every((other) => other === first) ? first : undefined;
  };
  return { agent: common('agent'), target: common('target'), config: common('config') };
}
