import type { Finding } from '../../base/model/finding.ts';
import type { Place } from '../../base/model/place.ts';
import type { UnsetOption } from '../../agents/llm/unset-options.ts';

/** A setting of a target that is ignored because its variable is not set, and the value used instead. */
export function unsetOption(
  { key, variable, instead }: UnsetOption,
  { name, place }: { readonly name: string; readonly place: Place | undefined },
): Finding {
  const { file = '', line = 1, column = 1 } = place ?? {};
  return {
    severity: 'warning',
    code: 'unset_variable',
    message: `the variable ${variable} is not set, so \`${key}\` of the target "${name}" is ${instead}`,
    hint: `set it in the environment or in .env, or remove \`${key}\``,
    file,
    line,
    column,
    path: name,
  };
}
