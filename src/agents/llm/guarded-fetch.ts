import { sendUnobserved } from '../../base/system/own-requests.ts';
import { ModelError } from './model-error.ts';

/** Puts something between a call and the network. */
export type WrapFetch = (send: typeof fetch) => typeof fetch;

const RESPONSE_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * fetch for APIs: it follows no redirect, since the headers with the key would go along, and it does not read
 * endless responses.
 */
export const guardedFetch: typeof fetch = async (input, init) => {
  const response = await sendUnobserved(() => fetch(input, { ...init, redirect: 'manual' }));
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    await response.body?.cancel();
    const origin = URL.canParse(location) ? new URL(location).origin : location;
    throw new ModelError(
      'request',
      `the address redirects to ${origin}, but Assay does not follow redirects: if it is right, set \`base_url\` to it`,
      {
        status: response.status,
      },
    );
  }
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit(RESPONSE_LIMIT_BYTES)), {
    status,
    statusText,
    headers,
  });
};

function limit(maximum: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= maximum) controller.enqueue(chunk);
      else
        controller.error(
          new ModelError('request', `the response is longer than ${maximum / 1024 / 1024} MB`),
        );
    },
  });
}
