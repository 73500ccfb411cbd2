import type { CallWarning } from 'ai';

/** What the SDK has to say about a setting that a model does not take. */
export function describeWarning(warning: CallWarning): string {
  if (warning.type === 'other') return warning.message;
  const { feature, details } = warning;
  return `the model does not take \`${feature}\`${details === undefined ? '' : `: ${details}`}`;
}
