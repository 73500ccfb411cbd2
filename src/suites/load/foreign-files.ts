import { basename } from 'node:path';
import { hasErrors, type Finding } from '../../base/model/finding.ts';

/**
 * A file of another tool gets one finding that says how to convert it, instead of one for each field that Assay does
 * not know. The code that recognises such files is loaded only for files with errors.
 */
export async function explainForeign(
  file: { readonly path: string; readonly text: string },
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  if (!hasErrors(findings) && !PROMPTFOO_NAME.test(basename(file.path))) return findings;
  const { foreignFinding, recogniseForeign } = await import('../convert/recognise-foreign.ts');
  const foreign = recogniseForeign(file);
  if (foreign === undefined || (foreign.name === 'agent-skills' && !isUnknown(findings))) return findings;
  return [foreignFinding(file, foreign)];
}

/** Only promptfoo uses this name. Its settings could be read as ours and mean something else. */
export const PROMPTFOO_NAME = /^promptfooconfig\b.*\.(?:ya?ml|json)$/i;

/** The `evals.json` of a skill is a suite, but a list of queries is not. */
function isUnknown(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => code === 'unknown_format');
}
