/* What both languages know of an agent that is observed. The patterns mean the same in JavaScript and in Python. */

/** Programs that read nothing of a project. */
export const HARMLESS_PROGRAMS = ['uname', 'hostname', 'sw_vers', 'lsb_release'] as const;

/** Variables, in any case, whose values name servers of models and of telemetry, and proxies on the way to these. */
export const MODEL_SERVERS =
  '(?:^|_)(?:ANTHROPIC|BEDROCK|GEMINI|LITELLM|LLM|MISTRAL|MODEL|OLLAMA|OPENAI|OTEL|VERTEX)_|_PROXY$';

/** An agent that uses more files is not worth looking at them all. */
export const MOST_LOOKS = 20_000;
