/** A request to the judge. */
export interface TargetInvokeRequest {
  readonly question: string;
  readonly systemPrompt?: string | undefined;
  readonly evalCaseId?: string | undefined;
  readonly attempt?: number | undefined;
  /** A judge of the config other than the default one. */
  readonly target?: string | undefined;
}

export interface TargetInvokeResponse {
  readonly outputMessages: readonly unknown[];
  /** The judge's reply. */
  readonly rawText?: string;
}

export interface TargetInfo {
  /** The judge that is called if a request names none. */
  readonly targetName: string;
  readonly maxCalls: number;
  readonly callCount: number;
  readonly availableTargets: readonly string[];
}

export interface TargetClient {
  invoke(request: TargetInvokeRequest): Promise<TargetInvokeResponse>;
  /** Each request is one call. If one of them gets no reply, the batch is an error. */
  invokeBatch(requests: readonly TargetInvokeRequest[]): Promise<readonly TargetInvokeResponse[]>;
  getInfo(): Promise<TargetInfo>;
}

/** The script lacks something it needs to call the judge. */
export class TargetNotAvailableError extends Error {
  override readonly name = 'TargetNotAvailableError';
}

/** The judge did not reply, or the call was refused. */
export class TargetInvocationError extends Error {
  override readonly name = 'TargetInvocationError';
  readonly statusCode: number | undefined;

  constructor(message: string, statusCode?: number) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** How a script calls the judge; undefined if its evaluator has no `target`. */
export function createTargetClient(): TargetClient | undefined {
  const { AGENTV_TARGET_PROXY_URL: url, AGENTV_TARGET_PROXY_TOKEN: token } = process.env;
  if (!url) return undefined;
  if (!token)
    throw new TargetNotAvailableError(
      'AGENTV_TARGET_PROXY_URL is set but AGENTV_TARGET_PROXY_TOKEN is missing',
    );
  const call = (path: string, body?: object): Promise<unknown> => fetchJson(`${url}${path}`, token, body);
  return {
    invoke: (request) => call('/invoke', request) as Promise<TargetInvokeResponse>,
    async invokeBatch(requests) {
      const { responses } = (await call('/invokeBatch', { requests })) as {
        readonly responses: readonly TargetInvokeResponse[];
      };
      return responses;
    },
    getInfo: () => call('/info') as Promise<TargetInfo>,
  };
}

async function fetchJson(url: string, token: string, body: object | undefined): Promise<unknown> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  const text = await response.text();
  throw new TargetInvocationError(errorIn(text) ?? `HTTP ${response.status}`, response.status);
}

function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return text || undefined;
  }
}
