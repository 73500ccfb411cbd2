import type { JsonObject } from '../../base/model/json.ts';
import { Conversation } from './conversation.ts';
import type { ReaderContext, RecordedTurn, Recording, RecordingReader } from './recording.ts';

/** Reads a session that was written line by line. One that is too long for a test is several recordings. */
export abstract class SessionReader implements RecordingReader {
  protected readonly conversation = new Conversation('anywhere');
  protected readonly context: ReaderContext;
  private parts = 0;

  constructor(context: ReaderContext) {
    this.context = context;
  }

  protected abstract read(value: JsonObject, line: number): void;
  /** After the last line. */
  protected abstract complete(): void;
  protected abstract recordingOf(turns: readonly RecordedTurn[]): Recording;

  add(value: JsonObject, line: number): readonly Recording[] {
    this.read(value, line);
    const turns = this.conversation.takeLong();
    if (turns === undefined) return [];
    if (this.parts === 0) {
      const message = 'this session is too long for one test, so each part of it is a test';
      this.context.report({ code: 'long_recording', message, line });
    }
    return [this.recordingOf(turns)];
  }

  end(): readonly Recording[] {
    this.complete();
    const turns = this.conversation.finish();
    return turns.length === 0 ? [] : [this.recordingOf(turns)];
  }

  protected nextId(session: string | undefined): string {
    const id = session ?? this.context.name;
    return ++this.parts === 1 ? id : `${id}, part ${this.parts}`;
  }
}
