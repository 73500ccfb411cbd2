import type { JsonObject } from '../../base/model/json.ts';
import type { ServerSettings } from './mcp-servers.ts';

/** What the settings of a target mean for one start of a program. */
interface CodingStart {
  readonly model?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  /** The session that this step continues. Undefined: a new one. */
  readonly sessionId?: string | undefined;
  /** Arguments of the user. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where it must send its telemetry, if that is read. */
  readonly telemetry?: string | undefined;
}

/** A coding agent that runs without a terminal: how it is started, and what it prints. The prompt is on its stdin. */
export interface CodingProgram {
  /** The `provider` of its targets. */
  readonly provider: string;
  /** Its name on the PATH. */
  readonly program: string;
  /** How to get it, and how to log in: the end of an error message. */
  readonly install: string;
  readonly login: string;
  /** What it says when nobody has logged in, beside what every API says about a wrong key. */
  readonly loggedOut: RegExp;
  /** Why it has no list of allowed tools, and what to do instead. Undefined: it has one. */
  readonly noAllowedTools?: string | undefined;
  /** Where its MCP servers are set, if the names of their tools do not show which part is the server's name. */
  readonly servers?: ServerSettings | undefined;
  args(start: CodingStart): readonly string[];
  /** Variables that it needs beside those it inherits. */
  env?(start: CodingStart): Readonly<Record<string, string>>;
  /** The events of one step, where the program may print more than one turn for it. */
  oneTurn?(events: readonly JsonObject[]): readonly JsonObject[];
  /** Whether the events of a step reach its end. */
  isEnded(events: readonly JsonObject[]): boolean;
  /** Whether an event has totals of the whole session. The next step reads it, to know its own part. */
  isTotal?(event: JsonObject): boolean;
}
