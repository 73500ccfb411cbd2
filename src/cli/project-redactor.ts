import { join } from 'node:path';
import { TargetResolver } from '../config/target-resolver.ts';
import { createRedactor, type Redactor } from '../match/redact-secrets.ts';
import type { CommandContext } from './command.ts';

/** For what is read from the project's files: the secrets of the environment, of `.env`, and those the config names. */
export async function createProjectRedactor({ env, stderr }: CommandContext): Promise<Redactor> {
  const resolver = new TargetResolver({}, process.cwd(), env);
  try {
    const { secrets } = await resolver.configFor(join(process.cwd(), 'any.test.yaml'));
    return createRedactor(resolver.env, secrets);
  } catch {
    await stderr.write('assay: the config has errors, so that secrets only it names are not known\n');
    return createRedactor(resolver.env);
  }
}
