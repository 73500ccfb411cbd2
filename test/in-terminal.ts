interface TerminalOptions {
  /** What happens to the terminal at the end of the input. Default: it stays open, and nothing more is typed. */
  readonly atEndOfInput?: 'close';
}

/** The command that runs a program in its own terminal: its input is typed there, and it prints what the program shows. */
export function inTerminal(
  command: readonly string[],
  { atEndOfInput }: TerminalOptions = {},
): readonly string[] {
  return ['python3', '-c', TERMINAL, atEndOfInput ?? 'keep', ...command];
}

const TERMINAL = `
import fcntl, os, pty, select, struct, sys, termios
at_end, program = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
    os.execv(program[0], program)
typed = [0]
while True:
    ready, _, _ = select.select([terminal] + typed, [], [])
    try:
        if terminal in ready: os.write(1, os.read(terminal, 65536))
        if 0 in ready:
            data = os.read(0, 65536)
            if data: os.write(terminal, data)
            else: typed = []
    except OSError: break
    if at_end == 'close' and not typed:
        os.close(terminal)
        break
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
`;
