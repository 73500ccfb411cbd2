import { checkBareVariables, modelObject } from '../llm/model-object.ts';
import { isModelProvider, PROVIDER_NAMES } from '../llm/provider-names.ts';
import { withoutUnset } from '../llm/unset-options.ts';
import { CHAT_FIELDS, type ChatConfig } from '../chat/chat-config.ts';
import { COMMON, NO_BATCHES, providerOf } from './target-fields.ts';
import { defineTargetKind } from './target-kind.ts';

/** `provider: openai`: a model as an agent. */
export const chat = defineTargetKind({
  name: 'chat',
  providers: PROVIDER_NAMES,
  schema: modelObject(
    { ...COMMON, ...CHAT_FIELDS, ...NO_BATCHES },
    {
      what: 'a chat target',
      refused: { with: 'write `temperature` and other options on the target itself' },
    },
  ),
  matches: (target) => isModelProvider(providerOf(target) ?? ''),
  async create(target, { env }) {
    const { createChatAgent } = await import('../chat/chat-agent.ts');
    return createChatAgent(target as ChatConfig, { env });
  },
  checkAuthored: checkBareVariables,
  withoutUnset(target, env) {
    const { config, unset } = withoutUnset(target as ChatConfig, env);
    return { target: config as typeof target, unset };
  },
  async findMissing(target, { env }) {
    const { createModel } = await import('../llm/create-model.ts');
    createModel(target as ChatConfig, env);
    return undefined;
  },
  examples: [
    {
      name: 'model',
      provider: 'openai-compatible',
      base_url: 'http://127.0.0.1:8000/v1',
      model: 'test-model',
      api_key: 'none',
    },
  ],
});
