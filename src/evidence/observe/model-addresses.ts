import { MODEL_APIS } from '../apis/registry.ts';

/** A variable that is set for a program, and where its requests really go. */
export interface ModelRoute {
  readonly variable: string;
  /** As it was, or as the SDKs of the API have it. */
  readonly upstream: URL;
  /** For an address that nobody set: the beginning that paths must have there. */
  readonly version: string | undefined;
}

/**
 * The variables that a program is to get. What a user has set says where requests go, so a name beside it that is not set stays so:
 * nobody can tell where a program that reads only that one would go.
 */
export function modelRoutes(env: NodeJS.ProcessEnv): readonly ModelRoute[] {
  return MODEL_APIS.flatMap(({ addresses = [] }) => addresses).flatMap(
    ({ variables, standard }): readonly ModelRoute[] => {
      const set = variables.filter((variable) => (env[variable] ?? '').trim() !== '');
      if (set.length > 0)
        return set.flatMap((variable) => {
          const upstream = readAddress(env[variable]!);
          return upstream === undefined ? [] : [{ variable, upstream, version: undefined }];
        });
      if (standard === undefined) return [];
      const { address, version } = standard;
      return standard.variables.map((variable) => ({ variable, upstream: new URL(address), version }));
    },
  );
}

/** What shows that a program calls Amazon Bedrock. Its requests are signed for their host and path, so none can pass through a proxy. */
const OF_BEDROCK = [
  'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
  'AWS_BEARER_TOKEN_BEDROCK',
  'CLAUDE_CODE_USE_BEDROCK',
];

/** The APIs that a program seems to call and whose addresses cannot be set for it. */
export function unseenApis(env: NodeJS.ProcessEnv): readonly string[] {
  return OF_BEDROCK.some((name) => (env[name] ?? '') !== '') ? ['Amazon Bedrock'] : [];
}

function readAddress(text: string): URL | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const url = new URL(text.trim());
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * The path at the real server. The AI SDK posts to `$ANTHROPIC_BASE_URL/messages`, since its own default ends in `/v1`, and Anthropic's
 * SDK to `$ANTHROPIC_BASE_URL/v1/messages`. Both must arrive where they would have without us.
 */
export function upstreamPath({ version }: ModelRoute, path: string): string {
  if (version === undefined) return path;
  const [, first = ''] = /^\/(v\d\w*)(?=[/?]|$)/.exec(path) ?? [];
  if (first === '') return version + path;
  return path.startsWith(`/${first}/${first}/`) ? path.slice(first.length + 1) : path;
}
