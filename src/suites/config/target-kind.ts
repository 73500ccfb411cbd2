import { TARGET_KINDS } from '../../agents/kinds/registry.ts';
import { COMMON, providerOf } from '../../agents/kinds/target-fields.ts';
import type { TargetKind } from '../../agents/kinds/target-kind.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { didYouMean, quoteName } from '../../base/schema/did-you-mean.ts';
import { NOWHERE, Reader } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import { wrongType } from '../../base/schema/values.ts';

/** The keys that decide a target's kind if it has no provider, for messages. */
export const KIND_KEYS: readonly string[] = [
  ...new Set(TARGET_KINDS.flatMap(({ keys = [] }) => keys.slice(0, 1).map((key) => `\`${key}\``))),
];

/** Reports what is wrong with a target, in its author's field names. */
export function checkTarget(target: Json, reader: Reader): void {
  const kind = kindOfTarget(target, reader);
  kind?.checkAuthored?.(target, reader);
  kind?.schema.read(target, reader);
}

/** The kind of a target; undefined after reporting that it has none. */
export function kindOfTarget(target: Json, reader: Reader): TargetKind | undefined {
  if (!isJsonObject(target)) return wrongType(target, reader, { wanted: 'a target (an object with `name`)' });
  const found = TARGET_KINDS.find((kind) => kind.matches(target));
  if (found !== undefined) return found;
  const provider = providerOf(target);
  if (provider === undefined) {
    reportNoKind(target, reader);
  } else {
    const names = TARGET_KINDS.flatMap((kind) => kind.providers ?? []);
    reader.error({
      code: 'unknown_provider',
      message: `unknown provider "${String(ownValue(target, 'provider'))}"`,
      hint: didYouMean(provider, names) ?? `use one of ${names.map(quoteName).join(', ')}`,
      at: ['provider'],
    });
  }
  return undefined;
}

function reportNoKind(target: JsonObject, reader: Reader): void {
  const used = ownValue(target, 'use_target');
  if (used !== undefined) {
    const variable = /^\s*\$\{\{\s*(\w+)/.exec(String(used))?.[1];
    reader.error({
      code: 'use_target',
      message: `\`use_target\` leads to no target with a provider: ${printJson(used)}`,
      hint:
        variable === undefined
          ? 'write the name of another target of this file'
          : `set ${variable} to the name of another target of this file`,
      at: ['use_target'],
    });
    return;
  }
  const names = ['provider', ...TARGET_KINDS.flatMap(({ keys = [] }) => keys)];
  for (const key of Object.keys(target)) {
    const hint = didYouMean(key, names);
    if (hint === undefined || Object.hasOwn(COMMON, key)) continue;
    reader.error({
      code: 'unknown_field',
      message: `a target has no field ${quoteName(key)}`,
      hint,
      at: [key],
      onKey: true,
    });
    return;
  }
  reader.error({
    code: 'target_kind',
    message: `a target needs one of ${KIND_KEYS.join(', ')} and \`provider\``,
    hint: 'for example `agent: ./agent.ts`',
  });
}

/** Whether a target's provider is unknown here: it may be meant for another tool. */
export function isForeignTarget(target: JsonObject): boolean {
  const reader = new Reader(NOWHERE);
  kindOfTarget(target, reader);
  return reader.findings.some(({ code }) => code === 'unknown_provider');
}

/** Whether a target has a key that states its kind, even a wrong one. */
export function saysItsKind(target: Json): boolean {
  return (
    given(target, 'provider') || TARGET_KINDS.some(({ keys = [] }) => keys.some((key) => given(target, key)))
  );
}
