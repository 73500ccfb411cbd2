import { ATTEMPT } from '../../base/model/record.ts';
import { publishedSchema, type JsonSchema } from '../../base/model/described.ts';
import { JOURNAL_VERSION } from './line-opener.ts';

/** JSON Schema of a record: a line of the journal, and a result of the JSON reporter. */
export function recordJsonSchema(): JsonSchema {
  const { properties, ...schema } = publishedSchema(
    `A record of Assay's journal, version ${JOURNAL_VERSION}`,
    ATTEMPT,
  );
  return { ...schema, properties: { ...(properties as JsonSchema), crc32: CHECKSUM } };
}

/** Only lines of the journal have it, and one piece of code writes those. */
const CHECKSUM = {
  type: 'string',
  pattern: '^[0-9a-f]{8}$',
  description: 'In the journal only: the checksum of the bytes before this field.',
};
