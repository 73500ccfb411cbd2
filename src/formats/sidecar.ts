import { hasErrors, type Finding } from '../model/finding.ts';
import type { AssertionKinds } from '../assertions/contract/assertion-kinds.ts';
import { object } from '../schema/object.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { Reader, type Source } from '../schema/reader.ts';
import { given } from '../schema/refine.ts';
import { UNKNOWN_FIELDS } from './eval-case-schema.ts';
import { warnAboutTwoLists, type SuiteDefaults } from './eval-case.ts';
import { fillOutline, suiteDefaults, suiteFields, warnAboutTwoTargets } from './eval-file.ts';
import { parseDocument } from './document.ts';
import {
  createSharedEvaluators,
  evaluatorTemplates,
  withoutEvaluators,
} from './templates/shared-evaluators.ts';

/** What a dataset's sidecar sets for all of its lines. */
export interface Sidecar {
  readonly dataset?: string;
  readonly description?: string;
  readonly defaults: SuiteDefaults;
  readonly findings: readonly Finding[];
}

export type SidecarSchema = ReturnType<typeof sidecarSchema>;

export function sidecarSchema(kinds: AssertionKinds) {
  return { ...object(suiteFields(kinds), { what: "a dataset's sidecar", ...UNKNOWN_FIELDS }), kinds };
}

/** Evaluators with braces are templates if there are variables; lines may give some too. */
function isNotPlain(value: Json, source: Source, schema: SidecarSchema): boolean {
  if (given(value, 'vars')) return true;
  const trial = new Reader(source);
  schema.read(value, trial);
  return trial.errorCount > 0;
}

export function parseSidecar(file: string, text: string, schema: SidecarSchema): Sidecar {
  const document = parseDocument(file, text, 'core');
  if (!('source' in document)) return { defaults: { hasErrors: true }, findings: document.findings };
  const reader = new Reader(document.source);
  const authored = evaluatorTemplates(document.value);
  const isTemplate = authored !== undefined && isNotPlain(document.value, document.source, schema);
  const plain = isTemplate ? withoutEvaluators(document.value as JsonObject, authored) : document.value;
  const read = schema.read(fillOutline(plain, reader, schema.kinds), reader) ?? {};
  warnAboutTwoLists(document.value, reader);
  warnAboutTwoTargets(document.value, reader);
  const findings = [...document.findings, ...reader.findings];
  return {
    ...(read.dataset === undefined ? {} : { dataset: read.dataset }),
    ...(read.description === undefined ? {} : { description: read.description }),
    defaults: {
      ...suiteDefaults(read),
      ...(authored === undefined
        ? {}
        : { evaluators: createSharedEvaluators(authored, document.source, schema.kinds) }),
      hasErrors: hasErrors(findings),
    },
    findings,
  };
}
