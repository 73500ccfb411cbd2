import { textAt } from '../foreign-fields.ts';
import type { TurnCall } from './turn.ts';

/** A call by which one agent gives the conversation to another: `transfer_to_Orders`, `transfer_to_agent`. */
export function isHandOver({ asked }: TurnCall): boolean {
  return HAND_OVER.test(asked.tool);
}

const HAND_OVER = /^(?:transfer|hand_?off|hand_?over)_?(?:back_?)?to_/i;

/** The agent that takes over: named by the result, else by the arguments, else by the tool. */
export function nameOfSuccessor({ asked, result }: TurnCall): string {
  const output = result?.output;
  const input = asked.input;
  return (
    textAt(output, 'assistant', 'agent', 'agent_name') ??
    textAt(input, 'agent_name', 'agent') ??
    asked.tool.replace(HAND_OVER, '')
  );
}
