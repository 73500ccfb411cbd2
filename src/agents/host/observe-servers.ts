import net from 'node:net';
import { optionOf, wrap } from './wrap-call.ts';

/** Their values name servers of models and of telemetry, and proxies on the way to these. */
const OF_MODELS =
  /^(?:ANTHROPIC|AWS|AZURE|GEMINI|GOOGLE|LITELLM|MISTRAL|OLLAMA|OPENAI|OTEL)_|(?:^|_)(?:LLM|MODEL)_|_PROXY$/i;
const LOOPBACK = /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[?::1?\]?|)$/;

/** Tells of connections to servers of this machine, except those of models: nobody sees what answers there. */
export function observeServers(onServer: () => void): void {
  const known = new Set(
    Object.entries(process.env)
      .filter(([name]) => OF_MODELS.test(name))
      .flatMap(([, value = '']) => [...value.matchAll(/:(\d+)/g)].map(([, port]) => port)),
  );
  wrap(net.Socket.prototype, 'connect', ([first, second]) => {
    const given: unknown = Array.isArray(first) ? first[0] : first;
    const port = optionOf(given, 'port') ?? given;
    const host = optionOf(given, 'host') ?? (typeof second === 'string' ? second : '');
    const isHere = optionOf(given, 'path') !== undefined || LOOPBACK.test(String(host));
    if (isHere && !known.has(String(port))) onServer();
  });
}
