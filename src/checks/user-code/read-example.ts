import type { EvaluatorExample } from '../contract/custom-evaluator.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';

/** How the example of an evaluator depends on its config. Throws an EvaluatorFileError if it has another form. */
export function readExample(
  authored: unknown,
  name: string,
): (config: () => unknown) => EvaluatorExample | undefined {
  if (authored === undefined || authored === null) return () => undefined;
  if (typeof authored === 'function')
    return (config) => {
      try {
        const example: unknown = (authored as (config: unknown) => unknown)(config());
        return isExample(example) ? example : undefined;
      } catch {
        // `check` says that there is none.
        return undefined;
      }
    };
  if (isExample(authored)) return () => authored;
  throw new EvaluatorFileError(
    `\`example\` of ${quoteName(name)} must have \`pass\` and \`fail\`: each an output, or { output, tool_calls }`,
  );
}

function isExample(value: unknown): value is EvaluatorExample {
  const { pass, fail } = (value ?? {}) as Partial<EvaluatorExample>;
  return isReply(pass) && isReply(fail);
}

function isReply(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { output, tool_calls: calls } = value as { readonly output?: unknown; readonly tool_calls?: unknown };
  const hasCalls =
    Array.isArray(calls) && calls.every((call) => typeof (call as { tool?: unknown })?.tool === 'string');
  return (typeof output === 'string' || output === undefined) && (hasCalls || calls === undefined);
}
