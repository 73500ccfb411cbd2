import { ownValue, type JsonObject } from '../../../base/model/json.ts';
import type { Message } from '../../../base/model/message.ts';
import type { Reader } from '../../../base/schema/reader.ts';
import { given } from '../../../base/schema/refine.ts';
import type { SharedByCases } from './shared-by-cases.ts';

interface CaseInput {
  readonly input_messages?: readonly Message[] | undefined;
  readonly input_files?: readonly string[] | undefined;
}

/** The input of a case with its files: they come before its text, in one message. */
export function caseInput(
  read: CaseInput,
  reader: Reader,
  {
    authored,
    shared,
  }: { readonly authored: JsonObject; readonly shared: Pick<SharedByCases, 'input_files'> },
): readonly Message[] | undefined {
  const files = read.input_files ?? shared.input_files;
  if (files === undefined || !given(authored, 'input')) return read.input_messages;
  const text = ownValue(authored, 'input');
  if (typeof text !== 'string') {
    reader.error({
      code: 'input_files',
      message: '`input_files` can only be added to an `input` that is a string',
      hint: 'write the files as parts of a message: { type: file, value: path }',
      at: [read.input_files === undefined ? 'input' : 'input_files'],
      onKey: true,
    });
    return undefined;
  }
  const parts = [...files.map((value) => ({ type: 'file', value })), { type: 'text', value: text }];
  return [{ role: 'user', content: parts }];
}

export function checkTurns(value: JsonObject, reader: Reader): void {
  const isConversation = given(value, 'mode');
  const hasTurns = given(value, 'turns');
  if (!isConversation && !hasTurns) return;
  if (isConversation !== hasTurns)
    reader.error({
      code: 'conversation',
      message: hasTurns ? '`turns` need `mode: conversation`' : '`mode: conversation` needs `turns`',
      hint: hasTurns ? 'add `mode: conversation`, or write `steps`' : 'add `turns`, or remove `mode`',
      at: [hasTurns ? 'turns' : 'mode'],
      onKey: true,
    });
  for (const name of ['steps', 'expected_messages', 'expected_output'])
    if (hasTurns && given(value, name))
      reader.error({
        code: 'conversation',
        message: `\`${name}\` and \`turns\` cannot be used together`,
        hint: name === 'steps' ? 'keep one of them' : 'move it into the turn it belongs to',
        at: [name],
        onKey: true,
      });
}
