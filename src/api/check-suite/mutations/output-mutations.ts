import type { Mutation, MutationFamily } from './mutation.ts';

/** The output emptied, its words and numbers changed. */
export const outputMutations: MutationFamily = function* (reply) {
  const { output } = reply;
  for (const [name, changed] of changes(output))
    if (changed !== output) yield { name, reply: { ...reply, output: changed } } satisfies Mutation;
};

function* changes(output: string): Generator<readonly [string, string]> {
  yield ['output emptied', ''];
  yield ['words of the output shuffled', shuffled(output)];
  yield ['case of the output changed', swapCase(output)];
  yield ['text before the output', `Well, ${output}`];
  yield ['text behind the output', `${output} That is all.`];
  yield* eachMatch(output, /-?\d+(?:\.\d+)?/g, 'number of the output changed', (number) =>
    String(Number(number) + 1),
  );
  yield* eachMatch(output, /\S+\s*/g, 'word of the output dropped', () => '');
}

/**
 * The most of them: a long output has many words, and dropping a neighbour of the one that matters often works too.
 */
const MOST = 40;

function* eachMatch(
  text: string,
  pattern: RegExp,
  name: string,
  change: (found: string) => string,
): Generator<readonly [string, string]> {
  const matches = [...text.matchAll(pattern)];
  const stride = Math.max(1, Math.ceil(matches.length / MOST));
  for (let index = 0; index < matches.length; index += stride) {
    const { 0: found, index: start } = matches[index]!;
    yield [name, text.slice(0, start) + change(found) + text.slice(start + found.length)];
  }
}

/** Always the same way: a check must be repeatable. */
function shuffled(text: string): string {
  return text.split(/\s+/).toReversed().join(' ');
}

function swapCase(text: string): string {
  return [...text]
    .map((character) => {
      const upper = character.toUpperCase();
      return character === upper ? character.toLowerCase() : upper;
    })
    .join('');
}
