/** Words of which one says that a value is a secret. */
const WORDS = new Set(
  'KEY TOKEN SECRET PASSWORD PASSWD PASSPHRASE PASSCODE CREDENTIAL CRED AUTH AUTHORIZATION COOKIE APIKEY JWT SSHPASS'.split(
    ' ',
  ),
);
/** These say so only at the end of a longer name: `PWD` is the current folder. */
const LAST_WORDS = new Set(['PASS', 'PWD', 'PAT']);
/** Names that are written as one word: `PGPASSWORD`, `MYAPIKEY`. */
const ENDS = /(?:PASSWORD|PASSWD|PASSPHRASE|APIKEY|SECRET|TOKEN)$/;

/**
 * Whether the name of a variable, a header, a field or a parameter says that its value is a secret: `OPENAI_API_KEY`,
 * `x-api-key`, `githubToken2`, `DB_PASSWORDS`.
 */
export function looksSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .toUpperCase()
    .split(/[^A-Z\d]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '')
    .map((word) => (/(?:SS|US)$/.test(word) ? word : word.replace(/S$/, '')));
  return (
    words.some((word) => WORDS.has(word) || ENDS.test(word)) ||
    (words.length > 1 && LAST_WORDS.has(words.at(-1)!))
  );
}
