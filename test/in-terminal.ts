/** The command that gives a program a terminal of its own: what comes in is typed, and what it shows goes out. */
export function inTerminal(command: readonly string[]): readonly string[] {
  return ['python3', '-c', TERMINAL, ...command];
}

const TERMINAL = `
import fcntl, os, pty, select, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
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
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
`;
