import { createFunctionAgent, type AgentFunction } from '../../src/agents/function-agent.ts';
import type { OpenOptions, RawReply } from '../../src/agents/contract.ts';
import type { AgentRequest } from '../../src/base/model/reply.ts';

export function requestFor(input: string, step = 1): AgentRequest {
  return {
    input,
    input_messages: [{ role: 'user', content: input }],
    memory: {},
    settings: {},
    test: { id: 'a test', file: 'suite.yaml' },
    step,
    attempt: 1,
    conversation_id: 'a conversation',
    messages: [{ role: 'user', content: input }],
  };
}

export interface CallOptions extends OpenOptions {
  readonly signal?: AbortSignal;
  readonly observe?: boolean;
}

/** Has a function answer one step, as a run does. */
export async function callObserved(
  run: AgentFunction,
  { signal = new AbortController().signal, observe, ...opening }: CallOptions = {},
): Promise<RawReply> {
  const agent = createFunctionAgent(run, { name: 'a function', observe });
  const session = await agent.open({ id: 'a test', file: 'suite.yaml' }, opening);
  try {
    return await session.send(requestFor('hello'), signal);
  } finally {
    await session.close();
    await agent.close();
  }
}
