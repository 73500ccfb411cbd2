import { existsSync } from 'node:fs';
import { isFolder } from '../../base/files/make-folder.ts';
import { sidecarPath } from '../../suites/load/sidecars.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Format } from '../../base/model/suite.ts';

/** What is wrong with the name of the file to write. */
export function checkOutput(out: string, format: Format): readonly Finding[] {
  if (isFolder(out)) return [fileFinding(out, 'output_name', 'this is a folder', 'name the file to write')];
  const { pattern, hint } = EXTENSIONS[format];
  return pattern.test(out)
    ? []
    : [fileFinding(out, 'output_name', `${NAMES[format]} cannot be in a file with this extension`, hint)];
}

const NAMES: Readonly<Record<Format, string>> = {
  eval: 'an eval file',
  dataset: 'a dataset',
  steps: 'a step test',
};
const DOCUMENT = { pattern: /\.(?:yaml|yml|json)$/i, hint: 'use .yaml, .yml or .json' };
const EXTENSIONS: Readonly<Record<Format, { readonly pattern: RegExp; readonly hint: string }>> = {
  eval: DOCUMENT,
  steps: DOCUMENT,
  dataset: { pattern: /\.jsonl$/i, hint: 'use .jsonl' },
};

/** A dataset without settings must not get those of a file that happens to have its name. */
export function strayFileBeside(out: string): readonly Finding[] {
  const path = sidecarPath(out);
  if (path === out || !existsSync(path)) return [];
  const message = 'this file would become the sidecar of the dataset, and change its tests';
  return [fileFinding(path, 'output_name', message, 'choose another name with -o')];
}
