import { ANTHROPIC } from './anthropic-messages.ts';
import { GEMINI } from './gemini.ts';
import type { ModelApi } from './model-api.ts';
import { OPENAI_CHAT } from './openai-chat.ts';
import { OPENAI_RESPONSES } from './openai-responses.ts';

/** Every API that Assay observes. No two of them match one path. */
export const MODEL_APIS: readonly ModelApi[] = [OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, GEMINI];
