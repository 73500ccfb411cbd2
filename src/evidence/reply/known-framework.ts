import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';

/** Objects of frameworks that tell too little to be read: whose they are, and the line that helps. */
interface KnownShape {
  readonly name: string;
  readonly fields: readonly string[];
  readonly line: string;
}

const SHAPES: readonly KnownShape[] = [
  { name: 'an Agno run', fields: ['run_id', 'agent_id', 'content'], line: 'return result.content' },
  {
    name: 'an AutoGen result',
    fields: ['messages', 'stop_reason'],
    line: 'return result.messages.at(-1).content',
  },
  { name: 'a Haystack result', fields: ['replies', 'meta'], line: 'return result.replies[0]' },
  { name: 'a LlamaIndex response', fields: ['message', 'raw'], line: 'return response.message.content' },
  {
    name: 'a LlamaIndex response',
    fields: ['message', 'sourceNodes'],
    line: 'return response.message.content',
  },
  { name: 'an Ax prediction', fields: ['thought', 'answer'], line: 'return result.answer' },
  {
    name: 'a network of AgentKit that has not run',
    fields: ['_agents', 'state'],
    line: 'return network.state.results',
  },
  { name: 'a Mastra workflow', fields: ['status', 'steps', 'result'], line: 'return result.result' },
  { name: 'a Semantic Kernel message', fields: ['items', 'innerContent'], line: 'return message.content' },
];

/** What to do about an object without an answer, where its shape is known or one of its fields is text. */
export function frameworkHint(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const shape = SHAPES.find(({ fields }) => fields.every((field) => Object.hasOwn(value, field)));
  if (shape !== undefined) return `this is ${shape.name}: \`${shape.line}\``;
  const field = textFieldOf(value);
  return field === undefined ? undefined : `return its text: \`return result.${field}\``;
}

function textFieldOf(value: JsonObject): string | undefined {
  return ['text', 'answer', 'content', 'completion', 'response', 'result', 'reply'].find(
    (field) => typeof ownValue(value, field) === 'string',
  );
}
