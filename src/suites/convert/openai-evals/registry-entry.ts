import { parseDocument } from '../../formats/document.ts';
import { basename } from '../../formats/path-names.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { ConversionLog, locateIn, type Locate } from '../conversion-log.ts';
import type { ForeignFile } from '../contract.ts';
import { isEvalEntry } from './recognise-openai-evals.ts';

/** How an eval is registered. */
export interface RegistryEntry {
  readonly name: string;
  /** `Match`, `Includes`, ... */
  readonly class: string;
  readonly args: JsonObject;
  readonly locate: Locate;
}

/** The evals that a registry lists. */
export function readRegistry(file: ForeignFile): {
  readonly entries: readonly RegistryEntry[];
  readonly findings: readonly Finding[];
} {
  const document = parseDocument(file.path, file.text, 'core');
  if (!('source' in document)) return { entries: [], findings: document.findings };
  const locate = locateIn(document.source);
  const entries: RegistryEntry[] = [];
  for (const [name, value] of Object.entries(isJsonObject(document.value) ? document.value : {})) {
    if (!isEvalEntry(value)) continue;
    const { class: full, args } = value as JsonObject;
    entries.push({ name, class: String(full).split(':').at(-1)!, args: args as JsonObject, locate });
  }
  const log = new ConversionLog(locate);
  if (entries.length === 0)
    log.broken(
      { code: 'not_readable', message: 'this registers no eval with a `class` and `args`', from: [] },
      [],
    );
  return { entries, findings: [...document.findings, ...log.findings] };
}

/** The entry whose samples are in this file; the only one, if none names it. */
export function entryOf(samples: string, entries: readonly RegistryEntry[]): RegistryEntry | undefined {
  const named = entries.find(({ args }) => samplesOf(args) === basename(samples));
  return named ?? (entries.length === 1 ? entries[0] : undefined);
}

function samplesOf({ samples_jsonl }: JsonObject): Json | undefined {
  return typeof samples_jsonl === 'string' ? basename(samples_jsonl) : undefined;
}
