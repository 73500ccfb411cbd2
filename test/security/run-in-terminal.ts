import { spawn } from 'node:child_process';
import { CLI } from '../project.ts';

/** Runs the built CLI in a terminal of 100 columns, with colours, and answers with every byte it was sent. */
export function runInTerminal(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ readonly bytes: Buffer; readonly exitCode: number | null }> {
  const inherited: NodeJS.ProcessEnv = { ...process.env, CI: 'false', TERM: 'xterm-256color', ...env };
  for (const name of ['GITHUB_ACTIONS', 'NO_COLOR', 'FORCE_COLOR']) delete inherited[name];
  const child = spawn('python3', ['-c', PTY, process.execPath, CLI, ...args], {
    cwd,
    env: inherited,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ bytes: Buffer.concat(chunks), exitCode }));
  });
}

const PTY = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
