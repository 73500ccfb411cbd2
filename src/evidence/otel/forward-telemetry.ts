import { sendUnobserved } from '../../base/system/own-requests.ts';
import type { RawTelemetry } from './receiver.ts';

/** Passes telemetry on to the collector of the operator. */
export interface Forwarder {
  send(request: RawTelemetry): void;
  /** Why something did not arrive. Once each. */
  readonly problems: ReadonlySet<string>;
  /** Waits until everything has been sent. */
  end(): Promise<void>;
}

const TIME_LIMIT_MS = 10_000;

/** To where the environment says that telemetry goes. */
export function createForwarder(env: NodeJS.ProcessEnv): Forwarder {
  const problems = new Set<string>();
  const underWay = new Set<Promise<void>>();
  return {
    problems,
    send({ path, headers, body }) {
      const target = targetOf(path, env);
      if (typeof target === 'string') return void problems.add(target);
      const sending = post(target.url, { ...target.headers, ...headers }, body)
        .catch(
          (error: unknown) =>
            void problems.add(
              `the collector at ${target.url.origin} did not take it: ${(error as Error).message}`,
            ),
        )
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async end() {
      await Promise.all(underWay);
    },
  };
}

async function post(url: URL, headers: Record<string, string>, body: Buffer): Promise<void> {
  const response = await sendUnobserved(() =>
    fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    }),
  );
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

interface CollectorTarget {
  readonly url: URL;
  readonly headers: Record<string, string>;
}

/** A text says why there is none. */
function targetOf(path: string, env: NodeJS.ProcessEnv): CollectorTarget | string {
  const signal = path.slice('/v1/'.length).toUpperCase();
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim();
  const general = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim();
  const address = own || (general ? `${general.replace(/\/$/, '')}${path}` : '');
  if (address === '')
    return 'OTEL_EXPORTER_OTLP_ENDPOINT is not set, so there is no collector to pass it on to';
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return 'the address of the collector is not a URL';
  const protocol = env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol === 'grpc') return 'the collector takes gRPC, and telemetry can be passed on by HTTP only';
  const written = [env['OTEL_EXPORTER_OTLP_HEADERS'], env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]];
  return {
    url: new URL(address),
    headers: Object.assign({}, ...written.map(readHeaders)) as Record<string, string>,
  };
}

/** `name=value,name=value`, with the values as in a URL. */
function readHeaders(written = ''): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of written.split(',')) {
    const at = pair.indexOf('=');
    if (at > 0) headers[pair.slice(0, at).trim().toLowerCase()] = unescape(pair.slice(at + 1).trim());
  }
  return headers;
}

function unescape(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
