import type { Json } from './json.ts';
import { closed, count, described, list, named, oneOf, optional, text, type TypeOf } from './described.ts';

/** An agent asks whether it may do something, or what to do, and waits for the answer. */
export interface ApprovalRequest {
  /** The tool that it wants to call, or what else it asks about. */
  readonly tool: string;
  readonly input?: Json | undefined;
  /** Of the tool call. */
  readonly id?: string | undefined;
  /** The question, where the agent words it. */
  readonly message?: string | undefined;
}

/** `answer`: neither yes nor no, but a value for the agent. */
export type ApprovalAnswer =
  | { readonly do: 'allow' }
  | { readonly do: 'deny'; readonly message?: string | undefined }
  | { readonly do: 'answer'; readonly answer: Json };

interface ApprovalRule {
  /** The name of the tool; `*` stands for any characters. */
  readonly tool: string;
  readonly do: 'allow' | 'deny' | 'fail';
  readonly message?: string | undefined;
}

/** What answers the requests of a test, in addition to its steps. */
export interface Approvals {
  /** For requests that no rule is about. */
  readonly default?: ApprovalRule['do'] | undefined;
  /** The first one whose tool it is decides. */
  readonly rules?: readonly ApprovalRule[] | undefined;
}

/** A request, and what came of it. */
const ASKED = named(
  'approvalAsked',
  closed({
    tool: text(),
    input: optional(described<Json>({})),
    id: optional(text('Of the tool call.')),
    message: optional(text('The question, where the agent words it.')),
    do: oneOf(
      ['allow', 'deny', 'answer', 'fail', 'wait'],
      'How it was answered. `fail`: by the end of the attempt. `wait`: not in this step.',
    ),
    by: optional(oneOf(['rule', 'default', 'step'], 'Who answered.')),
    rule: optional(count('The position of the rule, from 1 on.')),
    reason: optional(text('Why it was denied.')),
    answer: optional(described<Json>({}, 'What the agent got.')),
  }),
);
export type ApprovalAsked = TypeOf<typeof ASKED>;

export const APPROVALS_ASKED = list(ASKED, 'What the agent asked permission for, in order.');

/** The rules of all of them, the nearest first; the nearest default. */
export function joinApprovals(all: readonly (Approvals | undefined)[]): Approvals {
  return {
    rules: all.flatMap((each) => each?.rules ?? []),
    default: all.find((each) => each?.default !== undefined)?.default,
  };
}
