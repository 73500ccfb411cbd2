import { describe, expect, test } from 'vitest';
import { redactorOf } from './redact-secrets.ts';
import { looksSecret } from './secret-names.ts';
import { secretsInText, sentSecrets } from './sent-secrets.ts';

describe('a name says that its value is a secret', () => {
  test.each([
    'OPENAI_API_KEY',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASS',
    'API_KEYS',
    'TOKEN2',
    'SERVICE_TOKEN_1',
    'SECRETS',
    'apiKey',
    'openAIKey',
    'githubToken3',
    'GITHUB_PAT',
    'x-api-key',
    'Authorization',
    'Cookie',
    'set-cookie',
    'client_secret',
    'REDISCLI_AUTH',
    'userPasswords',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'NPMTOKEN',
    'myapikey',
    'JWT',
    'MY_CREDS',
    'SSHPASS',
  ])('%s', (name) => expect(looksSecret(name)).toBe(true));

  test.each([
    'PWD',
    'OLDPWD',
    'PATH',
    'HOME',
    'KEYBOARD',
    'MONKEY',
    'COMPASS',
    'BYPASS',
    'PASS',
    'TOKENIZER',
    'author',
  ])('but not %s', (name) => expect(looksSecret(name)).toBe(false));
});

test.each([
  ['postgres://user:hunter2hunter2@host:5432/db', 'hunter2hunter2'],
  ['jdbc:mysql://user:hunter2hunter2@host/db', 'hunter2hunter2'],
  ['redis://:hunter2%21hunter2@host', 'hunter2!hunter2'],
  ['Server=host;User=me;Password=hunter2hunter2;', 'hunter2hunter2'],
  ['host=h user=u password=hunter2hunter2 dbname=d', 'hunter2hunter2'],
  ['https://host/path?x=1&api_key=hunter2hunter2#y', 'hunter2hunter2'],
  ['https://host/?access_token=hunter2%2Bhunter2', 'hunter2+hunter2'],
  ['DSN=x;PWD=hunter2hunter2', 'hunter2hunter2'],
  ['Authorization: Bearer hunter2hunter2', 'hunter2hunter2'],
  ['X-Api-Key:hunter2hunter2', 'hunter2hunter2'],
  [`curl -H 'X-Api-Key: hunter2hunter2' -H "Accept: x" https://host`, 'hunter2hunter2'],
  ['authorization=Bearer hunter2hunter2', 'hunter2hunter2'],
])('the secret in %s', (text, secret) => expect(secretsInText(text)).toContain(secret));

test.each(['The key: hunter2hunter2 is not here', 'Token: answer with a long text', 'x: hunter2hunter2'])(
  'no secret in %s',
  (text) => expect(secretsInText(text)).toEqual([]),
);

test('a config sends its keys, headers, cookies, and what stands in its addresses and arguments', () => {
  const config = {
    agent: 'https://host/?key=address-key-1',
    targets: [
      {
        name: 'a',
        api_key: '${{ VAR }}',
        headers: {
          Authorization: 'Bearer header-token-1',
          'X-Api-Key': 'header-key-1',
          Cookie: 'session=cookie-value-1; theme=dark',
          Accept: 'application/json',
        },
        command: [
          'prog',
          '--api-key',
          'argument-key-1',
          '--verbose',
          'ordinary-word',
          '--token=argument-token-1',
        ],
        body: { nested: [{ password: 'body-password-1' }] },
        reply: { token_usage: 'usage.total_tokens' },
        env: { DB_PASS: 'variant-pass-1' },
        api_key_env: 'NAME_OF_VARIABLE',
      },
      { name: 'b', headers: { authorization: `Basic ${btoa('user:basic-password-1')}` } },
    ],
    judge: { api_key: 'judge-key-literal' },
    secrets: ['SOME_NAME'],
  };
  const found = sentSecrets(config, (text) => text.replace('${{ VAR }}', 'variable-value-1'));
  for (const secret of [
    'address-key-1',
    'variable-value-1',
    'header-token-1',
    'header-key-1',
    'cookie-value-1',
    'argument-key-1',
    'argument-token-1',
    'body-password-1',
    'variant-pass-1',
    'basic-password-1',
    'judge-key-literal',
  ])
    expect(found).toContain(secret);
  for (const ordinary of [
    'ordinary-word',
    'application/json',
    'usage.total_tokens',
    'SOME_NAME',
    'NAME_OF_VARIABLE',
  ])
    expect(found).not.toContain(ordinary);
});

describe('a secret in UTF-16 and in the words of a shell', () => {
  const secret = `sk-it's "quoted" $1!`;
  const { text: redact } = redactorOf([secret]);
  const wide = Buffer.from(secret, 'utf16le');
  test.each([
    ['single quotes', `'${secret.replaceAll("'", String.raw`'\''`)}'`],
    ['other quotes', `'${secret.replaceAll("'", `'"'"'`)}'`],
    ['double quotes', `"${secret.replaceAll(/["$!]/g, String.raw`\$&`)}"`],
    ['doubled quotes', `'${secret.replaceAll("'", "''")}'`],
    ['backslashes', secret.replaceAll(/[^\w-]/g, String.raw`\$&`)],
    ['UTF-16', wide.toString('latin1')],
    ['UTF-16 in JSON', JSON.stringify(wide.toString('latin1'))],
    ['UTF-16 BE', wide.swap16().toString('latin1')],
    ['UTF-16 in base64', Buffer.from(`x${secret}y`, 'utf16le').toString('base64')],
    ['UTF-16 in hexadecimal', Buffer.from(secret, 'utf16le').toString('hex')],
  ])('%s', (_name, written) => expect(redact(`before ${written} after`)).toContain('[redacted]'));
});
