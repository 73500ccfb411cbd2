/** The text without the secrets in it. Very short ones would take ordinary words with them. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
}

const SHORTEST = 6;
