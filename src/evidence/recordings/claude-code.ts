import { hashText } from '../../base/match/hash-text.ts';
import { isJsonList, isJsonObject, ownValue, type JsonObject } from '../../base/model/json.ts';
import { readBlock } from '../dialects/anthropic-messages.ts';
import { assistantEntries, readPieces, userEntries } from '../dialects/pieces.ts';
import type { Entry } from '../entry.ts';
import { objectAt, textAt, timeAt } from '../foreign-fields.ts';
import { anthropicUsage } from '../provider-usage.ts';
import type { SubConversation } from './conversation.ts';
import { SessionReader } from './session-reader.ts';
import type { RecordedTurn, Recording, RecordingFormat } from './recording.ts';

/**
 * A session of Claude Code: `~/.claude/projects/FOLDER/SESSION.jsonl`. Each block of a message is a line of its own that repeats the
 * usage of the message. A sub-agent has a file of its own.
 */
export const CLAUDE_CODE: RecordingFormat = {
  name: 'claude-code',
  title: 'a Claude Code session',
  isSpread: true,
  recognises: (values) => values.some(isMarked),
  link(values) {
    const first = values.find(isMarked) ?? {};
    const session = textAt(first, 'sessionId');
    const isSub = ownValue(first, 'isSidechain') === true;
    return isSub ? { partOf: session } : { key: session };
  },
  open: (context) => new ClaudeCodeReader(context),
};

function isMarked(line: JsonObject): boolean {
  return (
    textAt(line, 'sessionId') !== undefined &&
    'isSidechain' in line &&
    'parentUuid' in line &&
    textAt(line, 'uuid') !== undefined
  );
}

class ClaudeCodeReader extends SessionReader {
  /** Hashes of ids: a session may have a million. */
  private readonly seen = new Set<number>();
  private readonly subs = new Map<string, SubConversation>();
  /** The tool of each call, by its id. */
  private readonly tools = new Map<string, string>();
  private readonly unknown = new Set<string>();
  private session: JsonObject | undefined;
  private title: string | undefined;
  private hasMain = false;
  protected read(value: JsonObject, line: number): void {
    const id = textAt(value, 'uuid');
    // A session that is resumed begins with the lines of the earlier one.
    if (id !== undefined) {
      const [high, low] = hashText(id);
      const hash = high * 2 ** 21 + (low >>> 11);
      if (this.seen.has(hash)) return;
      this.seen.add(hash);
    }
    if (isMarked(value)) this.session ??= value;
    const type = textAt(value, 'type');
    if (type === 'summary') this.title ??= textAt(value, 'summary');
    const message = objectAt(value, 'message');
    if (message === undefined || (type !== 'user' && type !== 'assistant')) {
      if (message !== undefined) this.reportUnknown(type ?? 'no type', line);
      return;
    }
    this.nameAgent(value, message);
    const entries = this.entriesOf(value, message, line);
    if (ownValue(value, 'isSidechain') === true) this.subOf(value).entries.push(...entries);
    else this.addMain(entries, { line, at_ms: timeAt(value, 'timestamp') });
  }

  private addMain(
    entries: readonly Entry[],
    place: { readonly line: number; readonly at_ms: number | undefined },
  ): void {
    this.hasMain = true;
    this.conversation.add(entries, place);
  }

  addPart(value: JsonObject, line: number): void {
    this.read(value, line);
  }

  protected complete(): void {
    if (!this.hasMain) this.conversation.useSubs();
  }

  protected recordingOf(turns: readonly RecordedTurn[]): Recording {
    const session = this.session ?? {};
    return {
      id: this.nextId(textAt(session, 'sessionId')),
      target: 'claude-code',
      line: 1,
      description: this.title,
      turns,
      metadata: {
        ...kept(session, 'version', 'cwd', 'gitBranch'),
        ...(this.subs.size === 0 ? {} : { subagents: this.subs.size }),
      },
    };
  }

  private entriesOf(value: JsonObject, message: JsonObject, line: number): readonly Entry[] {
    const pieces = readPieces(ownValue(message, 'content'), `line ${line}`, readBlock);
    const at_ms = timeAt(value, 'timestamp');
    if (textAt(value, 'type') === 'user') {
      const results = pieces.results.map((result) => ({ ...result, given_ms: at_ms }));
      const isOwn = ['isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly'].some(
        (name) => ownValue(value, name) === true,
      );
      return userEntries({ ...pieces, results }).map((entry) =>
        entry.kind === 'user' && (isOwn || COMMAND.test(entry.text)) ? { ...entry, isContext: true } : entry,
      );
    }
    const model = textAt(message, 'model');
    if (this.subs.size > 0)
      for (const { id, tool } of pieces.calls) if (id !== undefined) this.tools.set(id, tool);
    // What Claude Code itself says in place of the model.
    const isSaidByModel = model !== '<synthetic>';
    return assistantEntries(
      { ...pieces, calls: pieces.calls.map((call) => ({ ...call, asked_ms: at_ms })) },
      isSaidByModel
        ? { id: textAt(message, 'id'), model, usage: anthropicUsage(objectAt(message, 'usage')) }
        : {},
    );
  }

  private subOf(value: JsonObject): SubConversation {
    const id = textAt(value, 'agentId') ?? '';
    let sub = this.subs.get(id);
    if (sub === undefined) {
      this.subs.set(id, (sub = { entries: [], usages: [] }));
      this.conversation.addSub(sub);
    }
    sub.start_ms ??= timeAt(value, 'timestamp');
    return sub;
  }

  /** The result of the call that started a sub-agent tells which one it was. */
  private nameAgent(value: JsonObject, message: JsonObject): void {
    const sub = this.subs.get(textAt(objectAt(value, 'toolUseResult'), 'agentId') ?? '');
    const content = ownValue(message, 'content');
    const [block] = isJsonList(content) ? content : [];
    if (sub !== undefined && isJsonObject(block))
      sub.agent ??= this.tools.get(textAt(block, 'tool_use_id') ?? '');
  }

  private reportUnknown(type: string, line: number): void {
    if (this.unknown.has(type)) return;
    this.unknown.add(type);
    this.context.report({
      code: 'unknown_part',
      message: `lines of the type \`${type}\` are not known`,
      line,
    });
  }
}

/** What a command of the user interface writes in the name of the user. */
const COMMAND = /^\s*(<(command-name|command-message|local-command-\w+|bash-\w+)>|\[Request interrupted)/;

/** The fields that tell where a recording is from. */
export function kept(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textAt(value, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
