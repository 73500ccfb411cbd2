import { createModel, type Environment } from '../llm/create-model.ts';
import { ModelError } from '../llm/model-error.ts';
import { retryRules } from '../llm/retry-rules.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import type { Agent } from '../contract.ts';
import type { ChatConfig } from './chat-config.ts';
import { ChatSession } from './chat-session.ts';

/** As for everything behind the network. */
const DEFAULT_WORKERS = 16;

/** A model as an agent. Throws an AgentSetupError for a config that cannot be used. */
export function createChatAgent(config: ChatConfig, { env }: { readonly env: Environment }): Agent {
  const model = loadModel(config, env);
  return {
    name: config.name,
    workers: config.workers ?? DEFAULT_WORKERS,
    retry: retryRules(config),
    modelCalls: 'own',
    async open(_test, options) {
      // Loading the SDK takes a while, and does not count as the model's time.
      await model.load();
      return new ChatSession(model, config, options);
    },
    close: () => Promise.resolve(),
  };
}

function loadModel(config: ChatConfig, env: Environment) {
  try {
    return createModel(config, env);
  } catch (error) {
    if (error instanceof ModelError)
      throw new AgentSetupError(`the target "${config.name}" cannot be used: ${error.message}`);
    throw error;
  }
}
