import { EXIT, type Output } from './command.ts';
import { explainStop } from './explain-stop.ts';
import { printError } from './print-error.ts';

/** Prints why a command stopped, and returns its exit code. Throws a defect of ours again. */
export async function printStop(error: unknown, stderr: Output): Promise<number> {
  const said = explainStop(error);
  if (said === undefined) throw error;
  await printError(stderr, said);
  return EXIT.invalid;
}
