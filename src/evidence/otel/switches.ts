/** What the environment of a program must hold so that it sends its telemetry here, beside what it holds. */
export function telemetrySwitches(endpoint: string, env: NodeJS.ProcessEnv): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: PROTOCOL,
    // A variable of one signal wins over the general one, so those of the operator would.
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: PROTOCOL,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${endpoint}/v1/logs`,
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: PROTOCOL,
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_BSP_SCHEDULE_DELAY: SOON_MS,
    OTEL_BLRP_SCHEDULE_DELAY: SOON_MS,
    OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_AND_EVENT',
    TRACELOOP_TRACE_CONTENT: 'true',
    ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS: 'true',
    // A part of the traces, or none, is what an operator wants in production.
    ...(env['OTEL_TRACES_SAMPLER'] === undefined ? {} : { OTEL_TRACES_SAMPLER: 'always_on' }),
    ...(env['OTEL_SDK_DISABLED'] === undefined ? {} : { OTEL_SDK_DISABLED: 'false' }),
    CLAUDE_CODE_ENABLE_TELEMETRY: '1',
    CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
    OTEL_LOG_USER_PROMPTS: '1',
    OTEL_LOG_TOOL_DETAILS: '1',
    OTEL_LOG_TOOL_CONTENT: '1',
    OTEL_LOGS_EXPORT_INTERVAL: SOON_MS,
    OTEL_TRACES_EXPORT_INTERVAL: SOON_MS,
    GEMINI_TELEMETRY_ENABLED: 'true',
    GEMINI_TELEMETRY_TRACES_ENABLED: 'true',
    GEMINI_TELEMETRY_TARGET: 'local',
    GEMINI_TELEMETRY_USE_COLLECTOR: 'true',
    GEMINI_TELEMETRY_OTLP_ENDPOINT: endpoint,
    GEMINI_TELEMETRY_OTLP_PROTOCOL: 'http',
    GEMINI_TELEMETRY_LOG_PROMPTS: 'true',
    COPILOT_OTEL_ENABLED: 'true',
    COPILOT_OTEL_CAPTURE_CONTENT: 'true',
    COPILOT_OTEL_ENDPOINT: endpoint,
    COPILOT_OTEL_PROTOCOL: 'http',
    ...withoutProxies(env),
  };
}

const PROTOCOL = 'http/protobuf';
const SOON_MS = '100';

/** A program that sends everything through another proxy must not send there what is meant for this machine. */
export function withoutProxies(env: NodeJS.ProcessEnv): Record<string, string> {
  const hasProxy = Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name));
  if (!hasProxy) return {};
  const names = Object.keys(env).filter((name) => /^no_proxy$/i.test(name));
  const all = [...new Set([...names, 'NO_PROXY', 'no_proxy'])];
  const before = names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  return Object.fromEntries(
    all.map((name) => [name, [env[name] || before, '127.0.0.1'].filter(Boolean).join(',')]),
  );
}

/** What to do where no telemetry came. */
export const HOW_TO_SEND =
  'start OpenTelemetry in the agent with an OTLP exporter over HTTP, and enable the instrumentation (`experimental_telemetry` of the AI SDK; `opentelemetry-instrument` in Python): Assay sets OTEL_EXPORTER_OTLP_ENDPOINT and related variables, and the agent must send its spans before it exits (`shutdown()` or `forceFlush()`)';

/** For what came without content. */
export const CONTENT_SWITCH =
  'switch on the content of the instrumentation: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_AND_EVENT, `recordInputs` and `recordOutputs` of the AI SDK, OTEL_LOG_TOOL_DETAILS=1 of Claude Code';
