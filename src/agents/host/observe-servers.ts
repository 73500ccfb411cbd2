import net from 'node:net';
import { optionOf, wrap } from './wrap-call.ts';

/** Their values name servers of models and of telemetry, and proxies on the way to these. */
const OF_MODELS =
  /(?:^|_)(?:ANTHROPIC|BEDROCK|GEMINI|LITELLM|LLM|MISTRAL|MODEL|OLLAMA|OPENAI|OTEL|VERTEX)_|_PROXY$/i;
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
    const isHere = typeof optionOf(given, 'path') === 'string' || LOOPBACK.test(String(host));
    if (isHere && !known.has(String(port))) onServer();
  });
}
