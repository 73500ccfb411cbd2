import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installGroup } from '../frameworks/install-group.ts';
import { runSuite } from '../frameworks/run-suite.ts';
import { createWeatherScript } from '../frameworks/weather-script.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

const OPENAI = `
import { Agent, run, tool } from '@openai/agents';
import { z } from 'zod';
const execute = async () => 'deleted';
const parameters = z.object({ reason: z.string() });
const delete_account = tool({ name: 'delete_account', description: 'x', parameters, execute, needsApproval: true });
const assistant = new Agent({ name: 'A', model: 'gpt-5-mini', tools: [delete_account] });
export const agent = async (input, memory, context) => {
  let result = await run(assistant, input);
  if (process.env.NOBODY) return result;
  while (result.interruptions.length > 0) {
    for (const item of result.interruptions) {
      const answer = await context.approve({ tool: item.name, input: JSON.parse(item.arguments) });
      if (answer.do === 'allow') result.state.approve(item);
      else result.state.reject(item);
    }
    result = await run(assistant, result.state);
  }
  return result;
};
`;

const LANGGRAPH = `
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
const decide = () => ({ messages: [{ role: 'assistant', content: interrupt('Delete it?') ? 'Deleted.' : 'Kept.' }] });
const graph = new StateGraph(MessagesAnnotation).addNode('decide', decide).addEdge(START, 'decide').addEdge('decide', END)
  .compile({ checkpointer: new MemorySaver() });
export const agent = async (content, memory, context) => {
  const config = { configurable: { thread_id: context.conversation_id } };
  let state = await graph.invoke({ messages: [{ role: 'user', content }] }, config);
  if (process.env.NOBODY) return state;
  while (state.__interrupt__?.length > 0) {
    const { do: action, answer } = await context.approve({ tool: 'interrupt', input: state.__interrupt__[0].value });
    state = await graph.invoke(new Command({ resume: action === 'answer' ? answer : action === 'allow' }), config);
  }
  return state;
};
`;

const CLAUDE = `
import { query } from '@anthropic-ai/claude-agent-sdk';
export async function* agent(prompt, memory, context) {
  const canUseTool = async (tool, input) => {
    const answer = await context.approve({ tool, input });
    return answer.do === 'allow' ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: answer.message };
  };
  const messages = (async function* () {
    yield { type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null, session_id: '' };
  })();
  yield* query({ prompt: messages, options: { model: 'claude-haiku-4-5', canUseTool, permissionMode: 'default' } });
}
`;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(createWeatherScript());
});
afterAll(() => server.close());

const STEPS = (tool: string, output: RegExp) => ({
  steps: [
    { input: 'Please delete my account.', assert: { approvals_asked: [tool] } },
    { approve: true, assert: { 'output.matches': output.source } },
  ],
});

test.each([
  ['OpenAI Agents', 'sdk', OPENAI, 'delete_account', /deleted/],
  ['LangGraph', 'sdk', LANGGRAPH, 'interrupt', /Deleted/],
] as const)(
  '%s: rules, steps, and a request that nobody answers',
  async (_, group, agent, tool, output) => {
    const modules = join(await installGroup(group), 'node_modules');
    const run = (env: Readonly<Record<string, string>> = {}) =>
      runSuite({
        files: {
          'agent.mjs': agent,
          'steps.test.json': JSON.stringify({ id: 'steps', ...STEPS(tool, output) }),
          'rules.test.json': JSON.stringify({
            id: 'rules',
            input: 'Please delete my account.',
            approvals: { rules: [{ tool, do: 'allow' }] },
            assert: { approvals_asked: [tool], 'output.matches': output.source },
          }),
          'nobody.test.json': JSON.stringify({
            id: 'nobody',
            input: 'Please delete my account.',
            assert: { 'output.not_includes': 'zzz' },
          }),
        },
        args: ['.', '--agent', './agent.mjs'],
        url: server.url,
        modules,
        env,
      });
    const { records, printed } = await run();
    const outcomes = Object.fromEntries(
      records.map(({ test: id, verdict, error }) => [id, error?.kind ?? verdict]),
    );
    expect(outcomes, printed).toEqual({ steps: 'passed', rules: 'passed', nobody: 'approval' });
    // A function that does not ask, and returns what waits.
    const unasked = await run({ NOBODY: '1' });
    expect(unasked.records.find(({ test: id }) => id === 'nobody')!.error).toMatchObject({
      kind: 'approval',
    });
  },
  300_000,
);

test('the permission callback of the Claude Agent SDK asks', async () => {
  const modules = join(await installGroup('claude'), 'node_modules');
  // Claude Code does not ask about commands that only read.
  const command = { command: 'touch made.txt', description: 'Make it' };
  const model = await startModelServer(({ body, text }) => {
    if ((body.tools ?? []).length === 0) return { text: 'A title' };
    if (text.includes('"tool_result"')) return { text: text.includes('not today') ? 'Refused.' : 'Made.' };
    return { toolCalls: [{ name: 'Bash', args: JSON.stringify(command) }] };
  });
  try {
    const { records, printed } = await runSuite({
      files: {
        'agent.mjs': CLAUDE,
        'steps.test.json': JSON.stringify({
          id: 'steps',
          steps: [
            { input: 'Make it.', assert: { approvals_asked: ['Bash'] } },
            { approve: true, assert: { 'output.equals': 'Made.', 'tools_used.includes': ['Bash'] } },
          ],
        }),
        'rules.test.json': JSON.stringify({
          id: 'rules',
          input: 'Make it.',
          approvals: { rules: [{ tool: 'B*', do: 'deny', message: 'not today' }] },
          assert: { 'output.equals': 'Refused.', approvals_asked: ['Bash'] },
        }),
      },
      args: ['.', '--agent', './agent.mjs', '--timeout', '5m'],
      url: model.url,
      modules,
    });
    const outcomes = Object.fromEntries(records.map(({ test: id, verdict }) => [id, verdict]));
    expect(outcomes, printed).toEqual({ steps: 'passed', rules: 'passed' });
  } finally {
    await model.close();
  }
}, 300_000);
