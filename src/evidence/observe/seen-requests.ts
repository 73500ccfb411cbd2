import type { ClientRequest } from 'node:http';
import { sendUnobserved } from '../../base/system/own-requests.ts';
import type { OpenExchange } from './open-exchange.ts';

/** The requests of `node:http` that were seen, each with its exchange. Undefined: it is of no interest. */
export const seenRequests = new WeakMap<ClientRequest, OpenExchange | undefined>();

/** A request that somebody watches already. */
export function ignoreRequest<T extends ClientRequest>(request: T): T {
  seenRequests.set(request, undefined);
  return request;
}

/** Opens a request of Assay's own. */
export function openUnobserved(open: () => ClientRequest): ClientRequest {
  return ignoreRequest(sendUnobserved(open));
}
