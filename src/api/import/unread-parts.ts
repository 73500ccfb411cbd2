import { withHole, withoutEnd } from '../../evidence/recordings/conversation.ts';
import type { Recording, RecordingProblem } from '../../evidence/recordings/recording.ts';

/** Remembers what of a recording could not be read: what was said there is unknown, not nothing. */
export class UnreadParts {
  private first: string | undefined;
  private lastLine = 0;
  private readLine = 0;

  /** A problem with the values of a file. */
  note({ line, code }: RecordingProblem, { isMain }: { readonly isMain: boolean }): void {
    this.first ??=
      code === 'invalid_json' ? `line ${line} of it cannot be read` : 'it cannot be read to its end';
    if (isMain) this.lastLine = code === 'unreadable' ? Infinity : Math.max(this.lastLine, line);
  }

  /** A value of the main file. */
  read(line: number): void {
    this.readLine = line;
  }

  mark(recording: Recording): Recording {
    if (this.first === undefined) return recording;
    const problem = { at: 'the recording', form: this.first };
    const { turns } = recording;
    const isTorn = this.lastLine > this.readLine;
    return {
      ...recording,
      // What is told of the whole may be told of a part of it.
      token_usage: undefined,
      cost_usd: undefined,
      turns: turns.map((turn, index) =>
        isTorn && index === turns.length - 1 ? withoutEnd(turn, problem) : withHole(turn, problem),
      ),
    };
  }
}
