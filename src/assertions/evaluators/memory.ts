import type { Json } from '../../model/json.ts';
import { defineEvaluator } from '../../schema/assertion-kind.ts';
import type { Reader } from '../../schema/reader.ts';
import { given, refine } from '../../schema/refine.ts';
import { isJsonObject } from '../../model/json.ts';
import { anyJson, boolean, text } from '../../schema/values.ts';
import { checkPythonPattern } from './regex.ts';

const definition = defineEvaluator({
  kind: 'memory',
  doc: 'A value in memory.',
  isBinary: true,
  fields: {
    path: { schema: text({ nonEmpty: true }), doc: 'Where it is: `user.name`.', missing: 'missing_path' },
    equals: { schema: anyJson(), doc: 'It equals this.', null: 'value' },
    matches: { schema: text(), doc: 'It is text in which this Python pattern is found.' },
    exists: { schema: boolean(), doc: 'It is there (`true`), or is not (`false`).' },
  },
});

export const memory = { ...definition, schema: refine(definition.schema, checkMemory) };

function checkMemory(authored: Json, reader: Reader): void {
  const states = (key: string): boolean => (key === 'equals' ? isJsonObject(authored) && Object.hasOwn(authored, key) : given(authored, key));
  const claims = ['equals', 'matches', 'exists'].filter(states);
  if (claims.length !== 1) {
    reader.error({ code: 'missing_field', message: 'exactly one of `equals`, `matches` and `exists` is needed' });
  } else if (given(authored, 'matches')) {
    checkPythonPattern((authored as { matches: string }).matches, reader, ['matches']);
  }
}
