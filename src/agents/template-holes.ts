import { didYouMean } from '../base/schema/did-you-mean.ts';
import { shellPlaces } from './shell-places.ts';

/** What a command template can be filled with. */
const HOLES = [
  'PROMPT',
  'PROMPT_FILE',
  'GUIDELINES',
  'EVAL_ID',
  'ATTEMPT',
  'FILES',
  'OUTPUT_FILE',
  'CONVERSATION',
  'WORKSPACE',
] as const;
type Hole = (typeof HOLES)[number];

/** A name in capitals, without a `$` before it: `${NAME}` and every other brace belong to the shell. */
const HOLE = /(?<!\$)\{([A-Z][A-Z0-9_]*)\}/g;

/** Each hole once; a value with holes in it stays as it is. */
export function fillHoles(template: string, values: Readonly<Record<Hole, string>>): string {
  return template.replaceAll(HOLE, (hole, name: string) =>
    Object.hasOwn(values, name) ? values[name as Hole] : hole,
  );
}

/** Also as its variable. */
export function hasHole(template: string, hole: Hole): boolean {
  return namesIn(template).includes(hole) || new RegExp(String.raw`\$\{?ASSAY_${hole}\b`).test(template);
}

/** What is wrong with the holes of a template: a shell would get them literally. */
export function holeProblems(
  template: string,
  known: readonly string[] = HOLES,
): readonly { readonly message: string; readonly hint: string }[] {
  return [...new Set(namesIn(template))]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      message: `{${name}} is not a placeholder`,
      hint:
        didYouMean(name, known)?.replace(/`(\w+)`/, '{$1}') ??
        (known.length === 0
          ? 'no placeholders are allowed here'
          : `use ${known.map((hole) => `{${hole}}`).join(', ')}`),
    }));
}

/**
 * What is wrong with the positions of holes. Assay quotes the values: inside the author's quotes, or where a shell
 * does not read quotes, the value would be read as a part of the script.
 */
export function holePlaceProblems(
  template: string,
  hole: RegExp = HOLE,
): readonly { readonly message: string; readonly hint: string }[] {
  const places = shellPlaces(template);
  const problems = new Map<string, { message: string; hint: string }>();
  for (const { 0: written, 1: name, index } of template.matchAll(hole)) {
    const place = places[index]!;
    if (place === 'plain') continue;
    const message = `${written} is ${WHERE[place]}, where a shell would execute parts of its value`;
    problems.set(`${written} ${place}`, { message, hint: safeWay(written, name!) });
  }
  return [...problems.values()];
}

const WHERE = {
  quotes: 'in quotes',
  expansion: 'in an expansion',
  'here-document': 'in a here-document',
  comment: 'in a comment',
  backslash: 'after a backslash',
} as const;

function safeWay(written: string, name: string): string {
  const isKnown = HOLES.some((known) => known === name);
  return `write ${written} without quotes: Assay quotes the value${isKnown ? `; or write "$ASSAY_${name}"` : ''}`;
}

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(HOLE)].map(([, name]) => name!);
}
