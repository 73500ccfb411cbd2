import { byType } from '../../schema/by-type.ts';
import { defineEvaluator } from '../../schema/assertion-kind.ts';
import { jsonObject, text } from '../../schema/values.ts';

export const isJson = defineEvaluator({
  kind: 'is_json',
  doc: 'The output is JSON, and fits the schema if there is one.',
  isBinary: true,
  fields: {
    schema: {
      schema: byType({ object: jsonObject('JSON Schema'), string: text({ nonEmpty: true, label: 'path of a file' }) }),
      doc: 'A JSON Schema, or the path of a file with one.',
    },
  },
});
