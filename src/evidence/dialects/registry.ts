import { MODEL_APIS } from '../apis/registry.ts';
import type { Dialect, MessageDialect } from './dialect.ts';
import { A2A_REPLY } from './a2a-reply.ts';
import { ACP_UPDATES } from './acp-updates.ts';
import { ADK_EVENTS } from './adk-events.ts';
import { AG_UI_EVENTS } from './ag-ui-events.ts';
import { AGENTKIT_RESULT } from './agentkit-result.ts';
import { AI_SDK_MESSAGES } from './ai-sdk-messages.ts';
import { AI_SDK_RESULT } from './ai-sdk-result.ts';
import { AI_SDK_STREAM } from './ai-sdk-stream.ts';
import { ANTHROPIC_MESSAGES } from './anthropic-messages.ts';
import { AX_RESPONSE } from './ax-response.ts';
import { BEDROCK_MESSAGES } from './bedrock-messages.ts';
import { CAMEL_CHAT_MESSAGES } from './camel-chat-messages.ts';
import { CLAUDE_MESSAGES } from './claude-messages.ts';
import { CODEX_EVENTS } from './codex-events.ts';
import { CODEX_TURN } from './codex-turn.ts';
import { COPILOT_EVENTS } from './copilot-events.ts';
import { CREWAI_RESULT } from './crewai-result.ts';
import { GEMINI_CLI_EVENTS } from './gemini-cli-events.ts';
import { GEMINI_CLI_RESULT } from './gemini-cli-result.ts';
import { GEMINI_CONTENTS } from './gemini-contents.ts';
import { GEMINI_STEPS } from './gemini-steps.ts';
import { GENKIT_MESSAGES } from './genkit-messages.ts';
import { GENKIT_RESULT } from './genkit-result.ts';
import { LANGCHAIN_EVENTS } from './langchain-events.ts';
import { LANGCHAIN_MESSAGES } from './langchain-messages.ts';
import { LANGGRAPH_SERVER } from './langgraph-server.ts';
import { LANGGRAPH_STREAM } from './langgraph-stream.ts';
import { LLAMAINDEX_WORKFLOW } from './llamaindex-workflow.ts';
import { MASTRA_RESULT } from './mastra-result.ts';
import { MASTRA_STREAM } from './mastra-stream.ts';
import { MCP_TOOL_RESULT } from './mcp-tool-result.ts';
import { MISTRAL_ENTRIES } from './mistral-entries.ts';
import { OPENAI_AGENTS_RESULT } from './openai-agents-result.ts';
import { OPENAI_CHAT_MESSAGES } from './openai-chat-messages.ts';
import { OPENAI_RESPONSE_ITEMS } from './openai-response-items.ts';
import { OPENCODE_EVENTS } from './opencode-events.ts';
import { PI_MESSAGES } from './pi-messages.ts';
import { PYDANTIC_AI_MESSAGES } from './pydantic-ai-messages.ts';
import { PYDANTIC_AI_RESULT } from './pydantic-ai-result.ts';
import { STRANDS_RESULT } from './strands-result.ts';
import { UI_MESSAGE_STREAM } from './ui-message-stream.ts';
import { UI_MESSAGES } from './ui-messages.ts';
import { messageReplies } from './message-replies.ts';
import { modelResponse } from './model-response.ts';

/** What a run, a program or an API gives as a whole. */
const RESULTS: readonly Dialect[] = [
  AI_SDK_RESULT,
  AI_SDK_STREAM,
  MASTRA_RESULT,
  MASTRA_STREAM,
  UI_MESSAGE_STREAM,
  OPENAI_AGENTS_RESULT,
  LANGGRAPH_STREAM,
  CLAUDE_MESSAGES,
  CODEX_EVENTS,
  GEMINI_CLI_EVENTS,
  GEMINI_CLI_RESULT,
  OPENCODE_EVENTS,
  ACP_UPDATES,
  ...MODEL_APIS.flatMap((api) => (api.asReply === undefined ? [] : [modelResponse(api, api.asReply)])),
  PYDANTIC_AI_RESULT,
  CREWAI_RESULT,
  MCP_TOOL_RESULT,
  STRANDS_RESULT,
  GENKIT_RESULT,
  LLAMAINDEX_WORKFLOW,
  AGENTKIT_RESULT,
  AX_RESPONSE,
  PI_MESSAGES,
  CODEX_TURN,
  COPILOT_EVENTS,
  LANGCHAIN_EVENTS,
  LANGGRAPH_SERVER,
  AG_UI_EVENTS,
  A2A_REPLY,
];

/** The first that recognises a list reads it: the last takes messages of text alone, which all of them write alike. */
export const MESSAGES: readonly MessageDialect[] = [
  AI_SDK_MESSAGES,
  UI_MESSAGES,
  LANGCHAIN_MESSAGES,
  PYDANTIC_AI_MESSAGES,
  GENKIT_MESSAGES,
  ADK_EVENTS,
  GEMINI_CONTENTS,
  GEMINI_STEPS,
  MISTRAL_ENTRIES,
  BEDROCK_MESSAGES,
  ANTHROPIC_MESSAGES,
  OPENAI_RESPONSE_ITEMS,
  CAMEL_CHAT_MESSAGES,
  OPENAI_CHAT_MESSAGES,
];

/** Every dialect of whole replies. No two of them recognise the same value, so their order decides nothing. */
export const DIALECTS: readonly Dialect[] = [...RESULTS, ...messageReplies(MESSAGES, RESULTS)];
