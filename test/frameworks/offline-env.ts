import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What keeps frameworks and coding agents on this machine: every model is at `url`, and whatever they ask elsewhere (updates,
 * telemetry, lists of models, plugins) goes to a proxy that is not there. `home` is a home folder of their own.
 */
export function offlineEnv(url: string, home: string): Readonly<Record<string, string | undefined>> {
  writeSettings(url, home);
  return {
    HOME: home,
    XDG_CONFIG_HOME: undefined,
    XDG_DATA_HOME: undefined,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: 'none',
    ...Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name) => bothCases(name, NOBODY))),
    ...Object.fromEntries(bothCases('NO_PROXY', '127.0.0.1,localhost')),
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    LANGSMITH_TRACING: 'false',
    MASTRA_TELEMETRY_DISABLED: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      share: 'disabled',
      provider: { anthropic: { options: { baseURL: `${url}/v1` } } },
    }),
  };
}

const NOBODY = 'http://127.0.0.1:9';

function bothCases(name: string, value: string): readonly (readonly [string, string])[] {
  return [
    [name, value],
    [name.toLowerCase(), value],
  ];
}

/** What has no variable. */
function writeSettings(url: string, home: string): void {
  const gemini = {
    // With a base URL of one's own, Gemini CLI takes another way to log in than a key, which it then refuses.
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  };
  // Codex does not read OPENAI_BASE_URL.
  const codex = `openai_base_url = "${url}/v1"
check_for_update_on_startup = false
[analytics]
enabled = false
[otel]
metrics_exporter = "none"
`;
  const files = { '.gemini/settings.json': JSON.stringify(gemini), '.codex/config.toml': codex };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}
