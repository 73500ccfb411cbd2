/** The user and password in an address: `https://user:password@host`. */
export interface UrlCredentials {
  readonly username: string;
  readonly password: string;
}

/** Undefined for a text that is not an address, or one without credentials. */
export function urlCredentials(text: string): UrlCredentials | undefined {
  if (!URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  return username === '' && password === ''
    ? undefined
    : { username: decode(username), password: decode(password) };
}

/** An address without credentials, safe to show. Any other text stays as it is. */
export function hideCredentials(text: string): string {
  return urlCredentials(text) === undefined ? text : text.replace(/\/\/[^/?#]*@/, '//[redacted]@');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
