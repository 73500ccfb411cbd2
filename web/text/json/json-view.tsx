import type { Json } from '../../../src/base/model/json.ts';
import { LongText } from '../long-text.tsx';
import { useReading } from '../reading.ts';
import { JsonInline } from './json-inline.tsx';
import { JsonTree } from './json-tree.tsx';
import { inlineJson, jsonText } from './json-text.ts';

const INLINE = 72;

/** A value: in one line if it is short, otherwise as a tree, or as text for those who read raw. */
export function JsonView({ value, label }: { readonly value: Json; readonly label: string }) {
  const isRaw = useReading() === 'raw';
  if (isRaw || typeof value !== 'object' || value === null)
    return <LongText className="code" dir="ltr" value={jsonText(value)} />;
  if (inlineJson(value, INLINE) !== undefined)
    return (
      <div class="code json-inline">
        <JsonInline value={value} />
      </div>
    );
  return <JsonTree value={value} label={label} />;
}
