import type { ModelApi } from '../../evidence/wire/apis/model-api.ts';
import { ANTHROPIC_FORM } from './anthropic-form.ts';
import type { ApiForm } from './api-form.ts';
import { CHAT_FORM } from './chat-form.ts';
import { GEMINI_FORM } from './gemini-form.ts';
import { RESPONSES_FORM } from './responses-form.ts';

export const API_FORMS: Readonly<Record<ModelApi['name'], ApiForm>> = {
  chat: CHAT_FORM,
  responses: RESPONSES_FORM,
  anthropic: ANTHROPIC_FORM,
  gemini: GEMINI_FORM,
};
