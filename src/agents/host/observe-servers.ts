import net from 'node:net';
import { MODEL_SERVERS } from './observed-names.ts';
import { optionOf, wrap } from './wrap-call.ts';

const LOOPBACK = /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[?::1?\]?|)$/;

/** Tells of connections to servers of this machine, except those of models: nobody sees what answers there. */
export function observeServers(onServer: () => void): void {
  const ofModels = new RegExp(MODEL_SERVERS, 'i');
  const known = new Set(
    Object.entries(process.env)
      .filter(([name]) => ofModels.test(name))
      .flatMap(([, value = '']) => [...value.matchAll(/:(\d+)/g)].map(([, port]) => port)),
  );
  wrap(net.Socket.prototype, 'connect', ([first, second]) => {
    const given: unknown = Array.isArray(first) ? first[0] : first;
    const port = optionOf(given, 'port') ?? given;
    const host = optionOf(given, 'host') ?? (typeof second === 'string' ? second : '');
    const isHere = typeof optionOf(given, 'path') === 'string' || LOOPBACK.test(String(host));
    if (isHere && !known.has(String(port))) onServer();
  });
}
