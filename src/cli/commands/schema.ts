import { editorSchemas, type EditorSchema } from '../../suites/config/editor-schemas.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { printError } from '../print-error.ts';

/** Prints the JSON Schema of one format. */
export async function schema({ positionals, stdout, stderr }: CommandContext): Promise<number> {
  const schemas = editorSchemas();
  const [name = ''] = positionals;
  if (!Object.hasOwn(schemas, name)) {
    const hint =
      didYouMean(name, Object.keys(schemas)) ?? `the formats are ${Object.keys(schemas).join(', ')}`;
    const problem = name === '' ? 'which format?' : `unknown format ${JSON.stringify(name)}`;
    await printError(stderr, `${problem}\n  hint: ${hint}`);
    return EXIT.invalid;
  }
  await stdout.write(`${JSON.stringify(schemas[name as EditorSchema], null, 2)}\n`);
  return EXIT.ok;
}
