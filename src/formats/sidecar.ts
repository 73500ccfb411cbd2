import { hasErrors, type Finding } from '../model/finding.ts';
import type { AssertionKinds } from '../assertions/contract/assertion-kinds.ts';
import { object } from '../schema/object.ts';
import { Reader } from '../schema/reader.ts';
import { UNKNOWN_FIELDS } from './eval-case-schema.ts';
import { warnAboutTwoLists, type SuiteDefaults } from './eval-case.ts';
import { suiteDefaults, suiteFields, warnAboutTwoTargets } from './eval-file.ts';
import { parseDocument } from './document.ts';

/** What a dataset's sidecar sets for all of its lines. */
export interface Sidecar {
  readonly dataset?: string;
  readonly description?: string;
  readonly defaults: SuiteDefaults;
  readonly findings: readonly Finding[];
}

export type SidecarSchema = ReturnType<typeof sidecarSchema>;

export function sidecarSchema(kinds: AssertionKinds) {
  return object(suiteFields(kinds), { what: "a dataset's sidecar", ...UNKNOWN_FIELDS });
}

export function parseSidecar(file: string, text: string, schema: SidecarSchema): Sidecar {
  const document = parseDocument(file, text, 'core');
  if (!('source' in document)) return { defaults: { hasErrors: true }, findings: document.findings };
  const reader = new Reader(document.source);
  const read = schema.read(document.value, reader) ?? {};
  warnAboutTwoLists(document.value, reader);
  warnAboutTwoTargets(document.value, reader);
  const findings = [...document.findings, ...reader.findings];
  return {
    ...(read.dataset === undefined ? {} : { dataset: read.dataset }),
    ...(read.description === undefined ? {} : { description: read.description }),
    defaults: { ...suiteDefaults(read), hasErrors: hasErrors(findings) },
    findings,
  };
}
