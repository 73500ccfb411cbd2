import { closest } from '../base/schema/did-you-mean.ts';
import { isJsonObject, setOwn, type Json } from '../base/model/json.ts';
import { printJson } from '../base/model/print-json.ts';
import type { AgentRequest } from '../base/model/reply.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import { parseReplyPath, valueInReply } from '../base/match/reply-path.ts';

type Fill = (request: Json) => Json;

/**
 * A body with `{{input}}`, `{{memory}}`, `{{test.id}}`, ... in its texts. A text that is nothing but one of them becomes
 * the value, inside a longer text it becomes text. What is inserted is never looked at again.
 */
export function compileBody(template: Json, agentName: string): (request: AgentRequest) => Json {
  const fill = compile(template, agentName);
  return (request) => fill(request as unknown as Json);
}

function compile(template: Json, agentName: string): Fill {
  if (typeof template === 'string') return compileText(template, agentName);
  if (Array.isArray(template)) {
    const items = template.map((item: Json) => compile(item, agentName));
    return (request) => items.map((fill) => fill(request));
  }
  if (!isJsonObject(template)) return () => template;
  const members = Object.entries(template).map(([key, value]) => [key, compile(value, agentName)] as const);
  return (request) => {
    const object: Record<string, Json> = {};
    for (const [key, fill] of members) setOwn(object, key, fill(request));
    return object;
  };
}

function compileText(text: string, agentName: string): Fill {
  const parts = text.split(VARIABLE);
  if (parts.length === 1) return () => text;
  const lookUps = parts.map((part, index) =>
    index % 2 === 1 ? compileVariable(part, agentName) : () => part,
  );
  const isOnly = parts.length === 3 && parts[0] === '' && parts[2] === '';
  if (isOnly) return lookUps[1]!;
  return (request) => lookUps.map((lookUp) => toText(lookUp(request))).join('');
}

/** Split by it, every second part is a name. */
const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/;

const NAMES = [
  'input',
  'input_messages',
  'messages',
  'conversation_id',
  'memory',
  'settings',
  'workspace',
  'test',
  'step',
  'attempt',
];

function compileVariable(name: string, agentName: string): Fill {
  const path = parseReplyPath(name);
  const first = path?.[0];
  if (path === undefined || typeof first !== 'string' || !NAMES.includes(first)) {
    const near = closest(name, NAMES);
    throw new AgentSetupError(`${agentName}: \`body\` has an unknown variable {{${name}}}`, {
      hint:
        near === undefined
          ? `use one of ${NAMES.map((each) => `{{${each}}}`).join(', ')}`
          : `did you mean {{${near}}}?`,
    });
  }
  return (request) => valueInReply(request, path) ?? null;
}

function toText(value: Json): string {
  return typeof value === 'string' ? value : printJson(value);
}
