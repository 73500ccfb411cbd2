import { Writable } from 'node:stream';
import type { Output } from '../command.ts';
import type { Choices, CiSystem, Kind, Language } from './choices.ts';
import { FRAMEWORKS, type Framework } from './framework-names.ts';

interface AskOptions {
  readonly output: Output;
  readonly hasColors: boolean;
}

/** Asks for what no option said. Undefined if the user cancels. */
export async function askChoices(given: Choices, options: AskOptions): Promise<Choices | undefined> {
  const { isCancel, select, updateSettings } = await import('@clack/prompts');
  // Ctrl-D too: else it ends the input, and with it the process, in the middle of a question.
  updateSettings({ aliases: { '\u0004': 'cancel' } });
  const output = new TerminalStream(options);
  /** Throws CANCELLED. */
  const ask = async <T extends string>(message: string, labels: Readonly<Record<T, string>>): Promise<T> => {
    const answer = await select<string>({
      message,
      options: Object.entries<string>(labels).map(([value, label]) => ({ value, label })),
      input: process.stdin,
      output,
    });
    if (isCancel(answer)) throw CANCELLED;
    return answer as T;
  };
  try {
    let { kind, language, framework, ci } = given;
    if (kind === undefined && framework === undefined) {
      // A language that was given leaves out the frameworks, whose examples have their own.
      const labels: Readonly<Record<string, string>> = language === undefined ? KIND_LABELS : OWN_KIND_LABELS;
      const answer = await ask('What is your agent?', labels);
      if (answer === 'framework') framework = await ask('Which framework or coding agent?', FRAMEWORK_LABELS);
      else kind = answer as Kind;
    }
    if (framework === undefined) language ??= await ask('Which language?', LANGUAGE_LABELS);
    ci ??= await ask('Where do the tests run in CI?', CI_LABELS);
    return { kind, language, framework, ci };
  } catch (error) {
    if (error === CANCELLED) return undefined;
    throw error;
  } finally {
    // What is written next comes after the last of the questions, and the cursor is back.
    await new Promise<void>((resolve) => output.end(resolve));
  }
}

const CANCELLED = Symbol('cancelled');

const OWN_KIND_LABELS: Readonly<Record<Kind, string>> = {
  function: 'A function in my code',
  program: 'A program that reads stdin and prints',
  server: 'A server that answers HTTP requests',
};

const KIND_LABELS: Readonly<Record<Kind | 'framework', string>> = {
  ...OWN_KIND_LABELS,
  framework: 'Built with a framework, or a coding agent (the example needs a key)',
};

const LANGUAGE_LABELS: Readonly<Record<Language, string>> = {
  typescript: 'TypeScript or JavaScript',
  python: 'Python',
};

const CI_LABELS: Readonly<Record<CiSystem, string>> = {
  none: 'Nowhere yet',
  github: 'GitHub Actions',
  gitlab: 'GitLab CI',
  azure: 'Azure Pipelines',
  circleci: 'CircleCI',
};

const FRAMEWORK_LABELS = Object.fromEntries(FRAMEWORKS.map((name) => [name, name])) as Readonly<
  Record<Framework, string>
>;

/** What the questions draw goes to the terminal as it is. Everything in it is ours. */
class TerminalStream extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  readonly rows = process.stdout.rows;

  constructor({ output, hasColors }: AskOptions) {
    super({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        const text = chunk.toString();
        // eslint-disable-next-line no-control-regex
        const shown = hasColors ? text : text.replaceAll(/\u001B\[[\d;]*m/g, '');
        output.writeExactly!(shown).then(() => done(), done);
      },
    });
    this.columns = output.columns;
  }
}
