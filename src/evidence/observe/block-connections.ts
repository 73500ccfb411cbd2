import { isIP, Socket } from 'node:net';

/** While model calls are replayed. */
export interface OfflineRules {
  /** Hosts that may be reached beside this machine. */
  readonly allowed: readonly string[];
  /** Told the host of each connection that was refused. */
  onBlocked(host: string): void;
}

interface BlockOptions extends OfflineRules {
  /** Whether the connection that is being made is meant. Default: all are. */
  applies?(): boolean;
}

/** Refuses every connection of this process that leaves the machine, until the function that is returned is called. */
export function blockConnections({ allowed, applies = () => true, onBlocked }: BlockOptions): () => void {
  const hosts = new Set(allowed.map((host) => host.toLowerCase()));
  const { connect } = Socket.prototype;
  const blocking = function (this: Socket, ...args: unknown[]): Socket {
    const host = hostOf(args);
    if (host === undefined || isThisMachine(host) || hosts.has(host) || !applies())
      return (connect as (...args: unknown[]) => Socket).apply(this, args);
    onBlocked(host);
    // As for a server that is not there, but at once: SDKs retry it as such, and nothing was sent.
    const error = Object.assign(
      new Error(
        `Assay replays cassettes and opens no connection to ${host}: \`cassettes.passthrough\` can allow it`,
      ),
      { code: 'ECONNREFUSED', syscall: 'connect', host },
    );
    process.nextTick(() => this.destroy(error));
    return this;
  };
  Socket.prototype.connect = blocking as typeof connect;
  return () => {
    if (Socket.prototype.connect === (blocking as typeof connect)) Socket.prototype.connect = connect;
  };
}

/** Undefined: it goes to a pipe or a socket in the file system. */
function hostOf(args: readonly unknown[]): string | undefined {
  // `net.connect` hands its arguments on as a list that it made of them.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as readonly unknown[];
  if (typeof first === 'object' && first !== null) {
    const { host, path } = first as { readonly host?: unknown; readonly path?: unknown };
    if (typeof path === 'string') return undefined;
    return typeof host === 'string' ? host.toLowerCase() : 'localhost';
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined;
  return typeof second === 'string' ? second.toLowerCase() : 'localhost';
}

function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  // A name may begin like an address.
  if (isIP(name) !== 0) return name === '::1' || /^(?:::ffff:)?127\./.test(name);
  return name === 'localhost' || name.endsWith('.localhost');
}
