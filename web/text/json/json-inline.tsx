import { useMemo } from 'preact/hooks';
import type { Json } from '../../../src/base/model/json.ts';
import { codeNodes } from '../code-nodes.ts';
import { Nodes } from '../nodes.tsx';
import { jsonText } from './json-text.ts';

/** A short value in a line. */
export function JsonInline({ value }: { readonly value: Json }) {
  const nodes = useMemo(() => codeNodes(jsonText(value), 'json'), [value]);
  return (
    <bdi dir="ltr">
      <Nodes nodes={nodes} />
    </bdi>
  );
}
