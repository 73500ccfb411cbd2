import { publishedSchemas, type PublishedSchema } from '../../load/published-schemas.ts';
import { didYouMean } from '../../schema/did-you-mean.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { printError } from '../print-error.ts';

/** Prints the JSON Schema of one format. */
export async function schema({ positionals, stdout, stderr }: CommandContext): Promise<number> {
  const schemas = publishedSchemas();
  const [name = ''] = positionals;
  if (!Object.hasOwn(schemas, name)) {
    const hint =
      didYouMean(name, Object.keys(schemas)) ?? `the formats are ${Object.keys(schemas).join(', ')}`;
    const problem = name === '' ? 'which format?' : `unknown format ${JSON.stringify(name)}`;
    await printError(stderr, `${problem}\n  hint: ${hint}`);
    return EXIT.invalid;
  }
  await stdout.write(`${JSON.stringify(schemas[name as PublishedSchema], null, 2)}\n`);
  return EXIT.ok;
}
