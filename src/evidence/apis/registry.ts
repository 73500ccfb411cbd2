import { ANTHROPIC } from './anthropic-messages.ts';
import { BEDROCK, BEDROCK_ANTHROPIC } from './bedrock.ts';
import { COHERE } from './cohere.ts';
import { GEMINI } from './gemini.ts';
import { GEMINI_INTERACTIONS } from './gemini-interactions.ts';
import { MISTRAL_CONVERSATIONS } from './mistral-conversations.ts';
import type { ModelApi } from './model-api.ts';
import { OLLAMA } from './ollama.ts';
import { OPENAI_CHAT } from './openai-chat.ts';
import { OPENAI_RESPONSES } from './openai-responses.ts';

/** Every API that Assay observes. No two of them match one path. */
export const MODEL_APIS: readonly ModelApi[] = [
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  ANTHROPIC,
  GEMINI,
  GEMINI_INTERACTIONS,
  BEDROCK,
  BEDROCK_ANTHROPIC,
  OLLAMA,
  COHERE,
  MISTRAL_CONVERSATIONS,
];
