/*
 * Assay and the agents of this process share `fetch` and `node:http`. What Assay sends itself, to judges and to agents, must never
 * count as a model call of an agent that happens to run at the same time.
 */

let isOwn = false;

/** Makes a request of Assay's own. Only what `send` does before it returns or waits is covered. */
export function sendUnobserved<T>(send: () => T): T {
  const before = isOwn;
  isOwn = true;
  try {
    return send();
  } finally {
    isOwn = before;
  }
}

/** Whether the request that is being made right now is Assay's own. */
export function isOwnRequest(): boolean {
  return isOwn;
}
