import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { openUnobserved } from './seen-requests.ts';

export interface UpstreamRequest {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Connections to the real servers, kept open from call to call. */
export class UpstreamConnections {
  private readonly plain = new http.Agent({ keepAlive: true });
  private readonly secure = new https.Agent({ keepAlive: true });

  send(server: URL, request: UpstreamRequest): ClientRequest {
    const { protocol, hostname, port, host, username, password } = server;
    const isSecure = protocol === 'https:';
    const open = isSecure ? https.request : http.request;
    return openUnobserved(() =>
      open({
        ...request,
        agent: isSecure ? this.secure : this.plain,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        headers: { ...request.headers, host },
        ...(username === ''
          ? {}
          : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
      }),
    );
  }

  close(): void {
    this.plain.destroy();
    this.secure.destroy();
  }
}
