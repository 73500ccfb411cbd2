/** An agent that cannot be used at all: a mistake in the command line, the config or the agent's file. */
export class AgentSetupError extends Error {
  readonly code = 'agent_setup';
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(
    message: string,
    { hint, cause }: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    const link = message.includes('\n') ? '\n  hint: ' : ': ';
    super(hint === undefined ? message : `${message}${link}${hint}`, cause === undefined ? {} : { cause });
    this.name = 'AgentSetupError';
    this.hint = hint;
  }
}
