import { contentText } from '../../base/model/content-text.ts';
import { contentOf, type Message } from '../../base/model/message.ts';
import type { Test } from '../../base/model/test.ts';
import { EMPTY_REPLY, type OracleReply } from './oracle/oracle-reply.ts';

/** An agent that makes no effort, and the finding if it passes a test. */
export interface LazyAgent {
  readonly name: string;
  readonly code: string;
  /** What it does, for the message. */
  readonly what: string;
  readonly hint: string;
  readonly replies: readonly OracleReply[];
}

/** The agents that should pass no test, the laziest first. */
export function lazyAgents({ steps, memory }: Test): readonly LazyAgent[] {
  const hasMemory = memory !== undefined && Object.keys(memory).length > 0;
  const idle = { ...IDLE, replies: steps.map(() => EMPTY_REPLY) };
  const echo = steps.map(({ input_messages }) => ({ ...EMPTY_REPLY, output: lastInput(input_messages) }));
  if (!hasMemory) return [idle, { ...ECHO, replies: echo }];
  return [
    idle,
    { ...KEEPER, replies: steps.map(() => ({ ...EMPTY_REPLY, memory })) },
    { ...ECHO, replies: echo.map((reply) => ({ ...reply, memory })) },
    { ...ECHO, replies: echo },
  ];
}

const IDLE = {
  name: 'idle agent',
  code: 'idle_passes',
  what: 'does nothing (no output, no tools, no memory)',
  hint: 'assert something that only an answer has',
} as const;

const KEEPER = {
  name: 'agent that keeps its memory',
  code: 'unchanged_memory_passes',
  what: 'says nothing and leaves its memory as it was',
  hint: 'assert a value that memory does not have at the start, or something about the answer',
} as const;

const ECHO = {
  name: 'echoing agent',
  code: 'echo_passes',
  what: 'repeats its input',
  hint: 'the answer is already in the input: assert something that the input does not contain',
} as const;

/** The user's last message: an answer from further up has to be remembered. For a file, only the name is repeated. */
export function lastInput(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last === undefined ? '' : contentText(contentOf(last), 'named');
}
