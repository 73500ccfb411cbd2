import type { Step } from '../../base/model/test.ts';
import type { Reader } from '../../base/schema/reader.ts';

/** What TestHaven takes a key for that only Assay has: the known key that it begins with. */
const READ_AS: Readonly<Record<string, string>> = {
  'tools_used.includes': '`tools_used`: exactly these tools',
  'tools_used.excludes': '`tools_used`: exactly these tools',
  'tools_used.in_order': '`tools_used`: exactly these tools',
};

/** In a file that says which version of TestHaven's format it has: claims that TestHaven reads otherwise. */
export function warnAboutNewClaims(steps: readonly Step[], reader: Reader): void {
  for (const { kind, name, form, place } of steps.flatMap((step) => step.assertions)) {
    if (form !== 'claim' || !/^(?:output\.not_|tools_used\.)/.test(kind)) continue;
    const meaning = READ_AS[kind];
    reader.findings.push({
      severity: 'warning',
      code: 'not_in_testhaven',
      message: `\`${name}\` is a claim of Assay, and this file has TestHaven's \`schema_version\`: TestHaven ${meaning === undefined ? 'does not know it' : `reads it as ${meaning}`}`,
      hint: 'remove `schema_version` if only Assay runs this file',
      file: place.file,
      line: place.line,
      column: place.column,
      path: name,
    });
  }
}
