/**
 * Everything we use of the AI SDK. Only `loadAiSdk` imports it, so it is one chunk, loaded when a model is called.
 */
export { createAnthropic } from '@ai-sdk/anthropic';
export { createAzure } from '@ai-sdk/azure';
export { createGoogleGenerativeAI } from '@ai-sdk/google';
export { createOpenAI } from '@ai-sdk/openai';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { APICallError, generateText, jsonSchema, Output, tool, wrapLanguageModel } from 'ai';
