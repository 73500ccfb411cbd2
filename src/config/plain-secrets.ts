import { VARIABLE } from '../agents/kinds/target-fields.ts';
import { looksSecret } from '../match/redact-secrets.ts';
import { urlCredentials } from '../match/url-credentials.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { PathSegment } from '../model/place.ts';
import type { Reader } from '../schema/reader.ts';
import { quoteName } from '../schema/did-you-mean.ts';

/** A key, token or password that is written into a config. */
interface PlainSecret {
  readonly value: string;
  readonly path: readonly PathSegment[];
  /** The name of a variable for it. */
  readonly variable: string;
}

/** Warns about secrets in a target or a judge, and returns them: no output may show them. */
export function warnAboutPlainSecrets(config: Json, reader: Reader): readonly string[] {
  const found = plainSecrets(config, [], isLocal(config));
  for (const { path, variable } of found)
    reader.warning({
      code: 'plain_secret',
      message: `${quoteName(String(path.at(-1)))} has a secret in plain text, which everyone who reads this file can see`,
      hint: `put it into the environment or .env, and write \`\${{ ${variable} }}\` here`,
      at: path,
    });
  return found.map(({ value }) => value);
}

function plainSecrets(value: Json, path: readonly PathSegment[], isLocalServer: boolean): readonly PlainSecret[] {
  if (typeof value === 'string') {
    const secret = secretIn(value, path, isLocalServer);
    return secret === undefined ? [] : [{ path, ...secret }];
  }
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) => plainSecrets(item, [...path, index], isLocalServer));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    // Its values are places in a response: `token_usage: usage.tokens`.
    path.length === 0 && key === 'reply' ? [] : plainSecrets(item, [...path, key], isLocalServer),
  );
}

function secretIn(
  text: string,
  path: readonly PathSegment[],
  isLocalServer: boolean,
): Omit<PlainSecret, 'path'> | undefined {
  if (text.search(VARIABLE) !== -1) return undefined;
  const name = String(path.findLast((segment) => typeof segment === 'string') ?? '');
  const password = urlCredentials(text)?.password;
  if (password !== undefined && password !== '') return { value: password, variable: 'PASSWORD' };
  const parameter = parametersOf(text).find(([key, value]) => isSecretName(key) && isLikely(value));
  if (parameter !== undefined) return { value: parameter[1], variable: variableFor(parameter[0]) };
  const known = KNOWN.exec(text)?.[0];
  if (known !== undefined) return { value: known, variable: variableFor(isSecretName(name) ? name : 'API_KEY') };
  // A server on this machine takes any key.
  if (!isSecretName(name) || (isLocalServer && path.length === 1)) return undefined;
  const value = text.replace(/^(?:Bearer|Basic|Token) +/i, '').trim();
  return isLikely(value) ? { value, variable: variableFor(name) } : undefined;
}

/** How providers write their keys. */
const KNOWN = /\b(?:sk-[\w-]{16,}|gh[opsu]_\w{20,}|xox[abp]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,})/;

function parametersOf(text: string): readonly (readonly [string, string])[] {
  return URL.canParse(text) && text.includes('?') ? [...new URL(text).searchParams] : [];
}

function isSecretName(name: string): boolean {
  return looksSecret(name.replaceAll('-', '_')) || /^(?:Proxy-)?Authorization$|^Cookie$/i.test(name);
}

/** Words such as `none` and `not-needed` are no secrets. */
function isLikely(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && /\d/.test(value));
}

function variableFor(name: string): string {
  if (/^(?:Proxy-)?Authorization$|^Cookie$/i.test(name)) return 'API_TOKEN';
  const upper = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_').toUpperCase();
  return /^[A-Z]/.test(upper) ? upper : 'API_KEY';
}

function isLocal(config: Json): boolean {
  const address = isJsonObject(config) ? (config['base_url'] ?? config['endpoint']) : undefined;
  return typeof address === 'string' && /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/i.test(address);
}
