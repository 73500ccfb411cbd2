/** A model API whose address programs take from the environment. */
interface ModelApi {
  /** The names that SDKs and frameworks read. */
  readonly variables: readonly string[];
  /** Where its SDKs go when none is set, and the names that mean the same to all who read them. */
  readonly standard?: {
    readonly address: string;
    /** The beginning of its paths. Some SDKs expect it in the variable, some add it themselves. */
    readonly version: string;
    readonly variables: readonly string[];
  };
}

const APIS: readonly ModelApi[] = [
  {
    variables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE', 'OPENAI_API_BASE_URL'],
    standard: {
      address: 'https://api.openai.com/v1',
      version: '/v1',
      variables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    },
  },
  {
    variables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_URL', 'ANTHROPIC_API_BASE'],
    standard: {
      address: 'https://api.anthropic.com',
      version: '/v1',
      variables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_URL'],
    },
  },
  {
    variables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL', 'GEMINI_API_BASE', 'GOOGLE_API_BASE'],
    standard: {
      address: 'https://generativelanguage.googleapis.com',
      version: '/v1beta',
      variables: ['GOOGLE_GEMINI_BASE_URL'],
    },
  },
  { variables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_BASE_URL', 'AZURE_API_BASE'] },
  { variables: ['GOOGLE_VERTEX_BASE_URL'] },
  { variables: ['OPENROUTER_BASE_URL', 'OPENROUTER_API_BASE'] },
  { variables: ['GROQ_BASE_URL', 'GROQ_API_BASE'] },
  { variables: ['MISTRAL_BASE_URL', 'MISTRAL_API_BASE'] },
  { variables: ['DEEPSEEK_BASE_URL', 'DEEPSEEK_API_BASE'] },
  { variables: ['XAI_BASE_URL', 'XAI_API_BASE'] },
];

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
  return APIS.flatMap(({ variables, standard }): readonly ModelRoute[] => {
    const set = variables.filter((variable) => (env[variable] ?? '').trim() !== '');
    if (set.length > 0)
      return set.flatMap((variable) => {
        const upstream = readAddress(env[variable]!);
        return upstream === undefined ? [] : [{ variable, upstream, version: undefined }];
      });
    if (standard === undefined) return [];
    const { address, version } = standard;
    return standard.variables.map((variable) => ({ variable, upstream: new URL(address), version }));
  });
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
