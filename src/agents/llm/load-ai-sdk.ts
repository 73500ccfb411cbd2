export type AiSdk = typeof import('./ai-sdk.ts');

let loading: Promise<AiSdk> | undefined;

/** Loads the AI SDK once, when the first model is called. */
export function loadAiSdk(): Promise<AiSdk> {
  // It would print its warnings, the first of them to stdout; we read them from its results.
  (globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;
  loading ??= import('./ai-sdk.ts');
  return loading;
}
