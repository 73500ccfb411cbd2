/** The keyboard of a terminal, key by key. */
export class KeyReader {
  private readonly stdin: NodeJS.ReadStream;
  private readonly onKey: (key: string) => void;
  private line: { text: string; readonly show: (text: string) => void; readonly end: Ending } | undefined;

  constructor(stdin: NodeJS.ReadStream, onKey: (key: string) => void) {
    this.stdin = stdin;
    this.onKey = onKey;
    stdin.setRawMode(true).setEncoding('utf8').resume();
    stdin.on('data', this.read);
  }

  /** A line of text; undefined if it was given up with Escape or Ctrl-C. */
  readLine(show: (text: string) => void): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.line = { text: '', show, end: resolve };
      show('');
    });
  }

  /** Shows the line that is being typed again, if there is one. */
  showLine(): void {
    this.line?.show(this.line.text);
  }

  close(): void {
    this.stdin.off('data', this.read);
    this.stdin.setRawMode(false).pause();
  }

  /** In raw mode the terminal leaves Ctrl-Z to us. The run, which is in the same process group, stops too. */
  private suspend(): void {
    this.stdin.setRawMode(false);
    process.once('SIGCONT', () => {
      this.stdin.setRawMode(true);
      this.onKey(RESUMED);
    });
    process.kill(0, 'SIGTSTP');
  }

  private readonly read = (data: Buffer | string): void => {
    const keys = String(data);
    // An arrow or another key of several characters means nothing here.
    if (keys.length > 1 && keys.startsWith('\u001B')) return;
    for (const key of keys) {
      if (key === '\u001A') this.suspend();
      else if (this.line === undefined) this.onKey(key);
      else this.edit(key);
    }
  };

  private edit(key: string): void {
    const { line } = this;
    if (line === undefined) return;
    if (key === '\r' || key === '\n') return this.endLine(line.text);
    if (key === '\u001B' || key === '\u0003') return this.endLine(undefined);
    // Ctrl-U clears the line.
    if (key === '\u0015') line.text = '';
    else if (key === '\u007F' || key === '\b') line.text = [...line.text].slice(0, -1).join('');
    else if (key >= ' ') line.text += key;
    line.show(line.text);
  }

  private endLine(text: string | undefined): void {
    const { line } = this;
    this.line = undefined;
    line?.end(text);
  }
}

/** Not a key of any keyboard: the watch goes on after Ctrl-Z and `fg`. */
export const RESUMED = 'resumed';

type Ending = (text: string | undefined) => void;
