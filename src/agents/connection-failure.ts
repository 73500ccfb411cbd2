interface NodeError {
  readonly code?: string | undefined;
  readonly message?: string;
  readonly cause?: NodeError;
}

/** What happened to a request that got no answer, and what to do. */
export interface ConnectionFailure {
  readonly problem: string;
  readonly hint: string;
}

/** Explains an error of `node:http` or of `fetch`, which keeps its reason in the cause. */
export function explainFailure(error: unknown, url: URL): ConnectionFailure {
  const { origin, hostname, protocol } = url;
  const reason =
    (error as NodeError).cause?.code === undefined ? (error as NodeError) : (error as NodeError).cause!;
  const { code = '', message = String(error) } = reason;
  if (code === 'ECONNREFUSED')
    return {
      problem: `${origin} refused the connection: nothing listens there`,
      hint: `is the server running, and is the port right?${LOCAL.test(hostname) ? ' `start:` can start it' : ''}`,
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      problem: `the host "${hostname}" was not found (${code})`,
      hint: 'check the address and your network',
    };
  if (message === 'aborted')
    return { problem: `${origin} closed the connection in the middle of its answer`, hint: LOOK };
  if (message === 'socket hang up' || code === 'UND_ERR_SOCKET')
    return { problem: `${origin} accepted the connection and closed it without an answer`, hint: LOOK };
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return { problem: `${origin} reset the connection before it answered`, hint: LOOK };
  if (TOO_FAR.has(code))
    return {
      problem: `no connection to ${origin} could be made (${code})`,
      hint: 'check the address and your network',
    };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return { problem: `${origin} does not speak TLS`, hint: 'if it is a server without TLS, write http://' };
  if (protocol === 'https:' && /CERT|SIGNATURE|ALTNAME|ISSUER/.test(code))
    return {
      problem: `the TLS certificate of ${origin} is not trusted: ${message}`,
      hint: 'set NODE_EXTRA_CA_CERTS to the file of its certificate authority',
    };
  if (code.startsWith('HPE_'))
    return {
      problem: `${origin} did not answer in HTTP: ${message}`,
      hint: 'check the port; if the server uses TLS, write https://',
    };
  return {
    problem: `${origin} cannot be reached: ${message || code}`,
    hint: 'check the address of the target',
  };
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const TOO_FAR: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const LOOK = 'look into the log of the server';
