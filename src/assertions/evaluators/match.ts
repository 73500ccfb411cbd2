import { defineEvaluator } from '../../schema/assertion-kind.ts';
import { boolean } from '../../schema/values.ts';

export const match = defineEvaluator({
  kind: 'match',
  doc: 'The reply equals `expected_messages`: text exactly, structured content as JSON, tool calls in order.',
  isBinary: true,
  fields: { partial: { schema: boolean(), doc: 'Compare only the fields that are listed. Default: false.' } },
});
