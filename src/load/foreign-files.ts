import { hasErrors, type Finding } from '../model/finding.ts';

/**
 * A file of another tool gets one finding that says how to convert it, instead of one for each field that Assay does
 * not know. The code that recognises such files is loaded only for files with errors.
 */
export async function explainForeign(
  file: { readonly path: string; readonly text: string },
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  if (!hasErrors(findings)) return findings;
  const { foreignFinding, recogniseForeign } = await import('../convert/recognise-foreign.ts');
  const foreign = recogniseForeign(file);
  return foreign === undefined ? findings : [foreignFinding(file.path, foreign)];
}
