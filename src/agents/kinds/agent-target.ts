import type { JsonObject } from '../../base/model/json.ts';
import { object } from '../../base/schema/object.ts';
import type { JsonSchema, Schema } from '../../base/schema/schema.ts';
import { boolean, wrongType } from '../../base/schema/values.ts';
import type { AgentFunction } from '../function-agent.ts';
import { COMMON, hasKey, OBSERVED, SETTINGS } from './target-fields.ts';
import { isTemplated } from './template-fields.ts';

/** A TypeScript config may hold the function itself. */
export const agentField: Schema<string | AgentFunction> = {
  label: 'file, URL or `cmd: ...`',
  jsonSchema: { type: 'string' },
  read(value, reader) {
    if (typeof value === 'function' || typeof value === 'string') return value;
    return wrongType(value, reader, {
      wanted: 'a file, a URL, `cmd: ...` or a function',
      hint: 'for example `agent: ./agent.ts`',
    });
  },
};

/** `agent: ...`, and `--agent`: what the text looks like decides the kind. */
export const agentTarget = object(
  {
    ...COMMON,
    ...OBSERVED,
    ...SETTINGS,
    agent: {
      schema: agentField,
      doc: 'A file (`./agent.ts`, `./agent.py`), a URL, or `cmd: ...`.',
      missing: 'missing_agent',
    },
    isolate: {
      schema: boolean(),
      doc: 'Run a JavaScript or TypeScript file in its own process. Default: true. `false` will go away.',
    },
  },
  {
    what: 'a target with `agent`',
    refused: {
      env: 'set variables in the shell, in .env or in a variant, or give the agent settings: `with: { key: value }`',
    },
  },
);

/** The same as `isAgentTarget`, for editors. */
export const AGENT_TARGET: JsonSchema = {
  required: ['agent'],
  not: { anyOf: ['provider', 'command_template', 'commandTemplate'].map((key) => ({ required: [key] })) },
};

/** Whether a target names its agent by `agent`. */
export function isAgentTarget(target: JsonObject): boolean {
  return hasKey(target, 'agent') && !isTemplated(target);
}

/** The text of `agent`, where it is one. */
export function agentText({ agent }: { readonly agent?: unknown }): string {
  return typeof agent === 'string' ? agent.trim() : '';
}
