import { hasErrors, type Finding } from '../../base/model/finding.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { object } from '../../base/schema/object.ts';
import type { Json } from '../../base/model/json.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import { isWrittenForAgentv } from './agentv/recognise-agentv.ts';
import { UNKNOWN_FIELDS } from './eval-case-schema.ts';
import { warnAboutTwoLists, type SuiteDefaults } from './eval-case.ts';
import { fillOutline, suiteFields, checkTwoTargets } from './eval-file.ts';
import { suiteDefaults, withDefaultVars } from './suite-defaults.ts';
import { parseDocument } from './document.ts';
import { WRONG_NAMES } from './templates/template-fields.ts';
import { evaluatorTemplates } from './templates/shared-evaluators.ts';

/** What a dataset's sidecar sets for all of its lines. */
export interface Sidecar {
  readonly dataset?: string;
  readonly description?: string;
  readonly defaults: SuiteDefaults;
  readonly findings: readonly Finding[];
}

export type SidecarSchema = ReturnType<typeof sidecarSchema>;

export function sidecarSchema(kinds: AssertionKinds) {
  return {
    ...object(suiteFields(kinds), {
      what: "a dataset's sidecar",
      ...UNKNOWN_FIELDS,
      refused: { ...WRONG_NAMES, each: '`each` belongs in a line of the dataset' },
    }),
    kinds,
  };
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
  reader.isAgentv = isWrittenForAgentv(document.value, schema.kinds);
  const value = withDefaultVars(document.value);
  const templates = evaluatorTemplates(value);
  const hasTemplates = templates.defaults !== undefined || templates.added.length > 0;
  const isTemplate = hasTemplates && isNotPlain(value, document.source, schema);
  const plain = isTemplate ? templates.plain : value;
  const read = schema.read(fillOutline(plain, reader, schema.kinds), reader) ?? {};
  if (given(value, 'prompts'))
    reader.unsupported({
      message: "`prompts` in a dataset's sidecar are not supported",
      hint: 'write a suite with `prompts`, and name the dataset under `tests`',
      at: ['prompts'],
      onKey: true,
    });
  warnAboutTwoLists(value, reader);
  checkTwoTargets(value, reader);
  const defaults = suiteDefaults(read, reader, { value, kinds: schema.kinds, templates });
  const findings = [...document.findings, ...reader.findings];
  const name = read.dataset ?? read.name;
  return {
    ...(name === undefined ? {} : { dataset: name }),
    ...(read.description === undefined ? {} : { description: read.description }),
    defaults: { ...defaults, hasErrors: hasErrors(findings), isAgentv: reader.isAgentv },
    findings,
  };
}
