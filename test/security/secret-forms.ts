/** How a secret may be written. In base64 the ends depend on the neighbours, and say nothing. */
export function secretForms(secret: string): readonly string[] {
  const around = ['', 'x', 'xx'].map((before) =>
    Buffer.from(`${before}${secret}yyy`).toString('base64').slice(4, -6),
  );
  const utf16 = Buffer.from(secret, 'utf16le');
  return [
    secret,
    // Words of a shell, without the quotes around them.
    secret.replaceAll("'", String.raw`'\''`),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll(/["\\$`]/g, String.raw`\$&`),
    secret.replaceAll(/[^\w@%+=:,./\n-]/gu, String.raw`\$&`),
    utf16.toString('hex'),
    Buffer.from(utf16).swap16().toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    encodeURIComponent(secret).replaceAll('%2F', '/'),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    JSON.stringify(secret)
      .slice(1, -1)
      .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encodeURIComponent(encodeURIComponent(secret)),
    escapeHtml(secret),
    escapeHtml(escapeHtml(secret)),
    secret.replaceAll(/[^\w.~-]/gu, (character) => `&#${character.codePointAt(0)};`),
    secret.replaceAll(/[^\w.~-]/gu, (character) => `&#x${character.codePointAt(0)!.toString(16)};`),
    byNumber(secret, (code) => `&#${code};`),
    byNumber(secret, (code) => `&amp;#x${code.toString(16).toUpperCase()};`),
    byNumber(secret, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
    [...Buffer.from(secret)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    ...around.map((form) => Buffer.from(`${form}yyy`).toString('base64').slice(4, -8)),
    ...around,
    ...around.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function byNumber(text: string, write: (code: number) => string): string {
  return [...text].map((character) => write(character.codePointAt(0)!)).join('');
}

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": '#39',
  };
  return text.replaceAll(/[&<>"']/g, (character) => `&${names[character]!};`);
}
