import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';

/** Objects of frameworks that tell too little to be read: whose they are, and the line that helps. */
interface KnownShape {
  readonly name: string;
  readonly fields: readonly string[];
  readonly line: string;
}

/** Each as its package returns it: `llamaindex` 0.12.1, `@inngest/agent-kit` 0.13.2, `@mastra/core` 0.24.9. */
const SHAPES: readonly KnownShape[] = [
  { name: 'a LlamaIndex response', fields: ['message', 'raw'], line: 'return response.message.content' },
  {
    name: 'a network of AgentKit that has not run',
    fields: ['_agents', 'state'],
    line: 'return await network.run(input)',
  },
  { name: 'a Mastra workflow', fields: ['status', 'steps', 'result'], line: 'return result.result' },
];

/** Undefined: nothing is known of such an object. */
export function knownFramework(value: JsonObject): string | undefined {
  const shape = SHAPES.find(({ fields }) => fields.every((field) => Object.hasOwn(value, field)));
  return shape && `this is ${shape.name}: \`${shape.line}\``;
}

/** What to do about an object without an answer, where its shape is known or one of its fields is text. */
export function frameworkHint(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const field = textFieldOf(value);
  return knownFramework(value) ?? (field && `return its text: \`return result.${field}\``);
}

function textFieldOf(value: JsonObject): string | undefined {
  return ['text', 'answer', 'content', 'completion', 'response', 'result', 'reply'].find(
    (field) => typeof ownValue(value, field) === 'string',
  );
}
