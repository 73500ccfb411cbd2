import { basename, dirname } from 'node:path';
import { looksLikeSuite } from '../suites/formats/looks-like-suite.ts';
import { parseDocument } from '../suites/formats/document.ts';
import { detectFormat } from '../suites/formats/detect-format.ts';
import { CONFIG_NAMES, TARGETS_NAMES } from '../suites/load/config-names.ts';
import { isSuiteName, SUITE_EXTENSIONS } from '../suites/load/discover.ts';
import { isSidecar } from '../suites/load/sidecars.ts';
import type { EditorSchema } from '../suites/config/editor-schemas.ts';

/** What a document is to Assay; undefined: it is not ours, and nothing is said about it. */
export type DocumentKind = EditorSchema;

/** By its name, as `assay validate` finds suites; otherwise by what it says. */
export function kindOfDocument(path: string, text: string): DocumentKind | undefined {
  const name = basename(path);
  if (isConfigName(path)) return 'config';
  if (!SUITE_EXTENSIONS.test(name)) return undefined;
  const named = schemaNamed(text);
  if (named !== undefined) return named;
  const isOurs = isSuiteName(name) || looksLikeSuite(headOf(path, text));
  if (/\.jsonl$/i.test(name)) return isOurs ? 'dataset' : undefined;
  if (isSidecar(path, text)) return 'sidecar';
  return isOurs ? formatOf(path, text) : undefined;
}

/** Documents of this size are looked at from their beginning only. */
const MOST_READ = 256 * 1024;

function headOf(path: string, text: string) {
  const isWhole = text.length <= MOST_READ;
  return { path, text: isWhole ? text : text.slice(0, MOST_READ), isWhole, hasSidecar: false };
}

function isConfigName(path: string): boolean {
  const name = basename(path);
  const inFolder = `${basename(dirname(path))}/${name}`;
  const isData = /\.(?:ya?ml|json)$/.test(name);
  return (
    (isData && CONFIG_NAMES.includes(name)) ||
    TARGETS_NAMES.includes(name) ||
    TARGETS_NAMES.includes(inFolder)
  );
}

/** `# yaml-language-server: $schema=.../eval.schema.json`, or the field `$schema`. */
function schemaNamed(text: string): DocumentKind | undefined {
  const head = text.slice(0, 4096);
  const found =
    /\$schema["']?\s*[=:]\s*["']?\S*?\bassay\b\S*?\b(eval|steps|sidecar|config|dataset)\.schema\.json/.exec(
      head,
    );
  return found?.[1] as DocumentKind | undefined;
}

/** A document that cannot be parsed while it is typed is told by its keys. */
function formatOf(path: string, text: string): DocumentKind {
  const detected = text.length <= MOST_READ ? readFormat(path, text) : undefined;
  if (detected !== undefined) return detected;
  if (/^["'\s{]*(?:evalcases|tests|cases)["']?\s*:/m.test(text)) return 'eval';
  // Cases have such fields too, further in.
  const steps = /\.json$/i.test(path)
    ? /^[\s{["'-]*(?:steps|input)["']?\s*:/m
    : /^(?:- +)?(?:steps|input)\s*:/m;
  if (steps.test(text)) return 'steps';
  return /\.test\.\w+$/i.test(path) ? 'steps' : 'eval';
}

function readFormat(path: string, text: string): DocumentKind | undefined {
  const document = parseDocument(path, text, 'core');
  if (!('source' in document)) return undefined;
  const detected = detectFormat(document.value);
  return 'format' in detected && detected.format !== 'skill' && detected.format !== 'triggers'
    ? detected.format
    : undefined;
}
