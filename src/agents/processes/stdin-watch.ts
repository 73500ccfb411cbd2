import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimer, stopTimer } from '../../base/system/system-time.ts';

/** The stdin of a program, and whether the program read what was written to it. */
export interface WatchedStdin {
  /** For the program. It is closed here as soon as the program has it. */
  readonly childEnd: Socket;
  readonly ownEnd: Socket;
  /** Once the program has ended: false if it left something unread. Undefined: another process still has it. */
  isRead(): Promise<boolean | undefined>;
}

/**
 * Connected sockets for the stdin of programs. When a program ends and bytes are left in its socket, Linux resets the
 * other end; of a pipe, nobody could tell. The folder of the server is only for this user: nobody else can connect.
 */
export class StdinWatch {
  private server: Promise<Server> | undefined;
  private folder: string | undefined;
  /** Connections are accepted in the order in which they were made. */
  private readonly waiting: ((socket: Socket) => void)[] = [];

  /** Undefined where it cannot be told: then the program gets a pipe. */
  async open(): Promise<WatchedStdin | undefined> {
    if (process.platform !== 'linux') return undefined;
    try {
      await (this.server ??= this.listen());
    } catch {
      return undefined;
    }
    const accepted = new Promise<Socket>((resolve) => this.waiting.push(resolve));
    const ownEnd = connect({ path: this.path(), allowHalfOpen: true });
    const end = new Promise<boolean>((resolve) => {
      ownEnd.once('error', () => resolve(false)).once('end', () => resolve(true));
    });
    ownEnd.on('error', () => {}).resume();
    return { childEnd: await accepted, ownEnd, isRead: () => within(end, WAIT_MS) };
  }

  async close(): Promise<void> {
    const server = await this.server?.catch(() => undefined);
    server?.close();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  private path(): string {
    return join(this.folder!, 's');
  }

  private listen(): Promise<Server> {
    this.folder = mkdtempSync(join(tmpdir(), 'assay-stdin-'));
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) =>
      this.waiting.shift()!(socket),
    );
    server.unref();
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(this.path(), () => resolve(server));
    });
  }
}

/** For the event that tells it. A process that left the group of the program may keep the socket open forever. */
const WAIT_MS = 100;

function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = startTimer(() => resolve(undefined), ms);
    void promise.then((value) => {
      stopTimer(timer);
      resolve(value);
    });
  });
}
