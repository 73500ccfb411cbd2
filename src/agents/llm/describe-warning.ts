import type { CallWarning } from 'ai';

/** What the SDK reports about a setting that a model does not support. */
export function describeWarning(warning: CallWarning): string {
  if (warning.type === 'other') return warning.message;
  const { feature, details } = warning;
  return `the model does not support \`${feature}\`${details === undefined ? '' : `: ${details}`}`;
}
