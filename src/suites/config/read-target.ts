import type { AnyTarget, CodeStart, TargetKind } from '../../agents/kinds/target-kind.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { interpolate } from '../../agents/llm/interpolate.ts';
import type { UnsetOption } from '../../agents/llm/unset-options.ts';
import { NOWHERE, Reader } from '../../base/schema/reader.ts';
import type { TargetConfig } from './config.ts';
import { environmentOf, withoutVariantFields } from './target-variants.ts';
import { kindOfTarget } from './target-kind.ts';

/** A target with the field names that Assay uses. */
export interface ReadTarget {
  readonly kind: TargetKind;
  /** Undefined if it cannot be read. */
  readonly target: AnyTarget | undefined;
  /** What is wrong with it. */
  readonly reader: Reader;
}

/** Undefined for a target of no known kind. */
export function readTarget(authored: TargetConfig | AnyTarget): ReadTarget | undefined {
  const written: Json = withoutVariantFields(authored as unknown as JsonObject);
  const reader = new Reader(NOWHERE);
  const kind = kindOfTarget(written, reader);
  if (kind === undefined) return undefined;
  return { kind, target: kind.schema.read(written, reader) as AnyTarget | undefined, reader };
}

/** The entry files of a target's code. Empty for a target with errors, since it never runs. */
export function codeStarts(authored: TargetConfig | undefined): readonly CodeStart[] {
  const { kind, target, reader } = (authored && readTarget(authored)) ?? {};
  return (target !== undefined && reader?.errorCount === 0 && kind?.code?.(target)) || [];
}

export interface UsableTarget extends ReadTarget {
  readonly unset: readonly UnsetOption[];
}

/**
 * A target with the values of its variables filled in. Throws an UnsetVariable for a required variable that is not
 * set.
 */
export function fillTarget(authored: TargetConfig, given: Environment): UsableTarget | undefined {
  const env = environmentOf(authored, given);
  const read = readTarget(authored);
  if (read === undefined) return undefined;
  const named = read.target ?? authored;
  const { target, unset } = read.kind.withoutUnset?.(named, env) ?? { target: named, unset: [] };
  // A variable's value may change the kind: `agent: ${{ AGENT }}`.
  const filled = readTarget(interpolate(target, env));
  return filled && { ...filled, unset };
}
