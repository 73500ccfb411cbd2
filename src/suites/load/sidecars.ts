import { existsSync } from 'node:fs';
import { detectFormat } from '../formats/detect-format.ts';
import { parseDocument } from '../formats/document.ts';
import type { Formats } from '../formats/parse-suite.ts';
import { parseSidecar, type Sidecar } from '../formats/sidecar.ts';
import { isLinkOutside } from './project-root.ts';
import { outsideProject, readSuiteFile } from './read-suite-file.ts';

/** `name.yaml` beside `name.jsonl`. A missing sidecar is not a finding. */
export function readSidecar(dataset: string, formats: Formats): Sidecar {
  const path = sidecarPath(dataset);
  if (!existsSync(path)) return { defaults: {}, findings: [] };
  if (isLinkOutside(path)) return { defaults: { hasErrors: true }, findings: [outsideProject(path)] };
  const read = readSuiteFile(path);
  if ('finding' in read) return { defaults: { hasErrors: true }, findings: [read.finding] };
  return holdsTests(path, read.text)
    ? { defaults: {}, findings: [] }
    : parseSidecar(path, read.text, formats.sidecar);
}

export function sidecarPath(dataset: string): string {
  return dataset.replace(/\.jsonl$/i, '.yaml');
}

/** A YAML file without tests, beside a dataset of the same name, belongs to that dataset. */
export function isSidecar(file: string, text: string): boolean {
  return /\.yaml$/i.test(file) && existsSync(datasetPath(file)) && !holdsTests(file, text);
}

/** A dataset is read together with its sidecar, so the sidecar is not a suite itself. */
export function withoutSidecars(files: readonly string[]): readonly string[] {
  const all = new Set(files);
  return files.filter((file) => {
    if (!/\.yaml$/i.test(file) || !all.has(datasetPath(file))) return true;
    const read = readSuiteFile(file);
    return 'text' in read && holdsTests(file, read.text);
  });
}

function datasetPath(sidecar: string): string {
  return sidecar.replace(/\.yaml$/i, '.jsonl');
}

export function holdsTests(file: string, text: string): boolean {
  const document = parseDocument(file, text, 'core');
  return 'source' in document && 'format' in detectFormat(document.value);
}
