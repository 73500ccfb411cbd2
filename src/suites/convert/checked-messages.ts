import { expectedMessages, inputMessages } from '../formats/messages.ts';
import type { Json } from '../../base/model/json.ts';
import { foreignData } from './foreign-data.ts';
import { NOWHERE, Reader } from '../../base/schema/reader.ts';

/** Why a list is not one of messages; undefined if it is. */
export function messageProblem(messages: Json, use: 'input' | 'expected'): string | undefined {
  const reader = new Reader(NOWHERE);
  if (use === 'input') inputMessages.read(messages, reader);
  else expectedMessages.read(foreignData(messages), reader);
  return reader.findings.find(({ severity }) => severity === 'error')?.message;
}
