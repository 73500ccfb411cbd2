import { VARIABLE } from '../../agents/kinds/target-fields.ts';
import { looksSecret } from '../../base/match/secret-names.ts';
import { urlCredentials } from '../../base/match/url-credentials.ts';
import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import type { Reader } from '../../base/schema/reader.ts';

/** Warns about secrets in a target or a judge. */
export function warnAboutPlainSecrets(config: Json, reader: Reader): void {
  const about = { provider: providerOf(config), isLocal: isLocal(config) };
  for (const { text, path } of textsIn(config)) {
    const name = String(path.findLast((segment) => typeof segment === 'string') ?? '');
    const variable = SHELL_FIELDS.has(String(path[0])) ? SHELL_VARIABLE.exec(text)?.[1] : undefined;
    if (variable !== undefined) {
      reader.warning({
        code: 'bare_variable',
        message: `${quoteName(name)} is sent as it is written: Assay does not read variables in this form`,
        hint: `write \`\${{ ${variable} }}\``,
        at: path,
      });
      continue;
    }
    if (secretIn(text, name, about.isLocal && path.length === 1) === undefined) continue;
    reader.warning({
      code: 'plain_secret',
      message: `${quoteName(name)} has a secret in plain text, which everyone who reads this file can see`,
      hint: `put it into the environment or .env, and write \`\${{ ${variableFor(name, about.provider)} }}\` here`,
      at: path,
    });
  }
}

interface PlacedText {
  readonly text: string;
  readonly path: readonly PathSegment[];
}

function textsIn(value: Json, path: readonly PathSegment[] = []): readonly PlacedText[] {
  if (typeof value === 'string') return value.search(VARIABLE) === -1 ? [{ text: value, path }] : [];
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    // Its values are places in a response: `token_usage: usage.tokens`.
    path.length === 0 && key === 'reply' ? [] : textsIn(item, [...path, key]),
  );
}

/** No shell reads them. */
const SHELL_FIELDS: ReadonlySet<string> = new Set([
  'api_key',
  'apiKey',
  'headers',
  'url',
  'base_url',
  'endpoint',
]);
const SHELL_VARIABLE = /(?:\$\{?|process\.env\.|\{\{ ?)([A-Z][A-Z0-9_]{2,})/;

/** The secret in a text. A server on this machine takes any key. */
function secretIn(text: string, name: string, isAnyKey: boolean): string | undefined {
  const password = urlCredentials(text)?.password;
  if (password !== undefined && password !== '') return password;
  const parameter = parametersOf(text).find(([key, value]) => isSecretName(key) && isLikely(value));
  if (parameter !== undefined) return parameter[1];
  const known = KNOWN.exec(text)?.[0];
  if (known !== undefined) return known;
  if (!isSecretName(name) || isAnyKey) return undefined;
  const value = text.replace(/^(?:Bearer|Basic|Token) +/i, '').trim();
  return isLikely(value) ? value : undefined;
}

/** How providers write their keys. */
const KNOWN = /\b(?:sk-[\w-]{16,}|gh[opsu]_\w{20,}|xox[abp]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,})/;

function parametersOf(text: string): readonly (readonly [string, string])[] {
  return URL.canParse(text) && text.includes('?') ? [...new URL(text).searchParams] : [];
}

const HEADERS = /^(?:(?:Proxy-)?Authorization|Cookie)$/i;

function isSecretName(name: string): boolean {
  return looksSecret(name.replaceAll('-', '_')) || HEADERS.test(name);
}

/** Words such as `none` and `not-needed` are not secrets. */
function isLikely(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && /\d/.test(value));
}

function variableFor(name: string, provider: string): string {
  if (!isSecretName(name) || /^api_?key$/i.test(name)) return `${provider}API_KEY`;
  if (HEADERS.test(name)) return 'API_TOKEN';
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toUpperCase();
}

function providerOf(config: Json): string {
  const provider = isJsonObject(config) ? ownValue(config, 'provider') : undefined;
  return typeof provider === 'string' && /^[a-z]+$/i.test(provider) ? `${provider.toUpperCase()}_` : '';
}

function isLocal(config: Json): boolean {
  const address = isJsonObject(config)
    ? (ownValue(config, 'base_url') ?? ownValue(config, 'endpoint'))
    : undefined;
  return (
    typeof address === 'string' &&
    /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/i.test(address)
  );
}
