import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileFindings } from '../api/validate/validate-suites.ts';
import { configDefaults } from '../suites/config/config-defaults.ts';
import { ConfigFiles } from '../suites/config/config-files.ts';
import { loadConfig } from '../suites/config/load-config.ts';
import type { Environment } from '../agents/llm/create-model.ts';
import { createRootFinder } from '../suites/load/project-root.ts';
import type { Finding } from '../base/model/finding.ts';
import type { Test } from '../base/model/test.ts';
import type { DocumentKind } from './document-kind.ts';

export interface CheckedDocument {
  /** Files by their absolute paths. */
  readonly findings: readonly Finding[];
  readonly tests: readonly CheckedTest[];
}

export interface CheckedTest {
  readonly id: string;
  readonly line: number;
}

interface DocumentCheck {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly env: Environment;
}

/**
 * The findings of `assay validate` for one document and the files that it uses, as open editors have them. Paths of findings are
 * relative to the current folder, so only one document is checked at a time. Nothing of the project is executed.
 */
export async function checkDocument({ path, kind, env }: DocumentCheck): Promise<CheckedDocument> {
  const findings: Finding[] = [];
  const tests: CheckedTest[] = [];
  const folder = process.cwd();
  if (kind === 'config') findings.push(...(await configFindings(path)));
  else {
    const counts = { files: 0, tests: 0, errors: 0, warnings: 0 };
    const options = {
      env,
      trustConfig: false,
      onSecrets: () => undefined,
      counts,
      onTest: ({ id, place }: Test) => {
        if (resolve(folder, place.file) === path) tests.push({ id, line: place.line });
      },
    };
    for await (const { finding } of fileFindings([suiteOf(path, kind)], options)) findings.push(finding);
  }
  const { strict } = await configDefaults(undefined, { mayExecute: false });
  return {
    findings: findings
      .filter(({ code }) => !ABOUT_THE_COMMAND.has(code))
      .map((finding) => ({
        ...finding,
        severity: strict ? 'error' : finding.severity,
        file: resolve(folder, finding.file),
      })),
    tests,
  };
}

/** They say what a command on the command line could do. */
const ABOUT_THE_COMMAND: ReadonlySet<string> = new Set(['config_not_read', 'evaluators_not_read']);

/** A sidecar is read with its dataset, if that is there. */
function suiteOf(path: string, kind: DocumentKind): string {
  const dataset = path.replace(/\.yaml$/i, '.jsonl');
  return relative('', kind === 'sidecar' && existsSync(dataset) ? dataset : path);
}

async function configFindings(path: string): Promise<readonly Finding[]> {
  if (!existsSync(path)) {
    const { findings, targetFindings } = await loadConfig(path);
    return [...findings, ...[...targetFindings.values()].flat()];
  }
  const folder = dirname(path).endsWith('.agentv') ? dirname(dirname(path)) : dirname(path);
  const rootOf = createRootFinder(process.cwd());
  const configs = new ConfigFiles({ rootOf, mayExecute: false, onSecrets: () => undefined });
  return configs.findings([join(folder, 'any.eval.yaml')]);
}
