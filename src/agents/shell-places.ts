/** The context of a position in a shell command. A quoted word may be inserted only in `plain` positions. */
export type ShellPlace = 'plain' | 'quotes' | 'expansion' | 'here-document' | 'comment' | 'backslash';

/**
 * The context of each offset of a shell script. It knows quoting, substitutions, here-documents and comments of
 * POSIX shells and `$'...'`; where it cannot follow, nothing may be inserted.
 */
export function shellPlaces(script: string): readonly ShellPlace[] {
  return new ShellScanner(script).scan();
}

type Context = "'" | '"' | '`' | "$'" | '${' | '$((' | '$(' | '(';

const PLACES: Readonly<Record<Context, ShellPlace>> = {
  "'": 'quotes',
  '"': 'quotes',
  '`': 'expansion',
  "$'": 'quotes',
  '${': 'expansion',
  '$((': 'expansion',
  '$(': 'plain',
  '(': 'plain',
};

class ShellScanner {
  private readonly script: string;
  private readonly places: ShellPlace[] = [];
  private readonly open: Context[] = [];
  /** The here-documents whose bodies start on the next line. */
  private readonly awaited: string[] = [];

  constructor(script: string) {
    this.script = script;
  }

  scan(): readonly ShellPlace[] {
    const { script, places } = this;
    while (places.length < script.length) this.step(places.length);
    return places;
  }

  private step(at: number): void {
    const rest = this.script.slice(at, at + 3);
    const context = this.open.at(-1);
    const isLiteral = context === "'";
    if (rest.startsWith('\\') && !isLiteral) this.take(2, 'backslash');
    else if (isClosing(rest, context)) this.close(context!);
    else if (isLiteral || context === "$'") this.take(1);
    else if (this.opens(rest, context)) return;
    else if (context === '"' || context === '${' || context === '$((' || context === '`') this.take(1);
    else this.stepPlain(at, rest);
  }

  /** Starts what may be in quotes too, and quotes. */
  private opens(rest: string, context: Context | undefined): boolean {
    const isQuoted = context === '"';
    for (const begin of ['$((', '$(', '${', '`', '"'] as const)
      if (rest.startsWith(begin) && !(begin === '`' && context === '`')) return this.enter(begin);
    if (isQuoted || context === '$((') return false;
    for (const begin of ["$'", "'"] as const) if (rest.startsWith(begin)) return this.enter(begin);
    return false;
  }

  private stepPlain(at: number, rest: string): void {
    const isWordStart = at === 0 || /[\s;&|()]/.test(this.script[at - 1]!);
    const hereDocument = /^<<-?\s*(?:(["'])(.+?)\1|\\?([^\s;&|<>()]+))/.exec(this.script.slice(at, at + 200));
    if (rest.startsWith('#') && isWordStart) this.take(lengthOf(this.script, at, /[^\n]*/y), 'comment');
    else if (rest.startsWith('<<<')) this.take(3);
    else if (hereDocument !== null) {
      this.awaited.push(hereDocument[2] ?? hereDocument[3]!);
      this.take(hereDocument[0].length);
    } else if (rest.startsWith('\n')) this.endLine();
    else if (rest.startsWith('(')) this.enter('(');
    else this.take(1);
  }

  private endLine(): void {
    this.take(1);
    for (let delimiter = this.awaited.shift(); delimiter !== undefined; delimiter = this.awaited.shift()) {
      let line: string;
      do {
        const begin = this.places.length;
        const length = lengthOf(this.script, begin, /[^\n]*\n?/y);
        line = this.script.slice(begin, begin + length).replace(/\n$/, '');
        this.take(length, 'here-document');
      } while (line.replace(/^\t+/, '') !== delimiter && this.places.length < this.script.length);
    }
  }

  private enter(begin: Context): true {
    this.open.push(begin);
    this.take(begin.length);
    return true;
  }

  private close(context: Context): void {
    this.take(context === '$((' ? 2 : 1);
    this.open.pop();
  }

  private take(length: number, place?: ShellPlace): void {
    const here = place ?? this.placeHere();
    const end = Math.min(this.places.length + length, this.script.length);
    while (this.places.length < end) this.places.push(here);
  }

  /** A substitution starts a new context, even in quotes. */
  private placeHere(): ShellPlace {
    const context = this.open.findLast((each) => each !== '(');
    return context === undefined ? 'plain' : PLACES[context];
  }
}

function isClosing(rest: string, context: Context | undefined): boolean {
  switch (context) {
    case undefined:
      return false;
    case "$'":
      return rest.startsWith("'");
    case '${':
      return rest.startsWith('}');
    case '$((':
      return rest.startsWith('))');
    case '$(':
    case '(':
      return rest.startsWith(')');
    default:
      return rest.startsWith(context);
  }
}

function lengthOf(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
