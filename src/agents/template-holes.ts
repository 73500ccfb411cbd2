import { didYouMean } from '../schema/did-you-mean.ts';

/** What a command template can be filled with. */
const HOLES = ['PROMPT', 'GUIDELINES', 'EVAL_ID', 'ATTEMPT', 'FILES', 'OUTPUT_FILE'] as const;
type Hole = (typeof HOLES)[number];

/** A name in capitals, without a `$` before it: `${NAME}` and every other brace belong to the shell. */
const HOLE = /(?<!\$)\{([A-Z][A-Z0-9_]*)\}/g;

/** Each hole once; a value with holes in it stays as it is. */
export function fillHoles(template: string, values: Readonly<Record<Hole, string>>): string {
  return template.replaceAll(HOLE, (hole, name: string) =>
    Object.hasOwn(values, name) ? values[name as Hole] : hole,
  );
}

export function hasHole(template: string, hole: Hole): boolean {
  return namesIn(template).includes(hole);
}

/** What is wrong with the holes of a template: a shell would get them as they are written. */
export function holeProblems(
  template: string,
  known: readonly string[] = HOLES,
): readonly { readonly message: string; readonly hint: string }[] {
  return [...new Set(namesIn(template))]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      message: `{${name}} stands for nothing`,
      hint:
        didYouMean(name, known)?.replace(/`(\w+)`/, '{$1}') ??
        (known.length === 0
          ? 'there are no holes here'
          : `the holes are ${known.map((hole) => `{${hole}}`).join(', ')}`),
    }));
}

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(HOLE)].map(([, name]) => name!);
}
