import { resolve } from 'node:path';
import { confine } from '../../suites/load/confinement.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { createAssayProcess } from '../../mcp/assay-process.ts';
import { readPermission } from '../../mcp/run-permission.ts';
import { serveMcp } from '../../mcp/serve.ts';
import { escapeLine } from '../../show/reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { readExcerptInProject } from '../../api/basics/excerpt.ts';
import { learnSecrets } from '../learn-secrets.ts';
import type { MCP_OPTIONS } from '../server-options.ts';
import { printError } from '../print-error.ts';
import { watchSignals } from '../signals.ts';

/** `assay mcp`: a server for coding agents, over stdin and stdout, until the client goes away. */
export async function mcp(context: CommandContext<typeof MCP_OPTIONS>): Promise<number> {
  const { positionals, options, stdout, stderr, env, redactor, script } = context;
  if (positionals.length > 0) {
    await printError(stderr, 'mcp takes no paths\n  hint: start it in the folder of your project');
    return EXIT.invalid;
  }
  await learnSecrets(context);
  const trustConfig = options['trust-config'];
  const program = [process.execPath, ...process.execArgv, resolve(script)];
  const root = findProjectRoot(process.cwd());
  // Paths of clients and of the config are relative to the project.
  process.chdir(root);
  confine({ root });
  const permission = await readPermission(root, { trustConfig });
  const trusted = trustConfig ? permission.fixed : undefined;
  const host = {
    root,
    assay: createAssayProcess(program, { env: { ...env }, root, trusted }),
    permission,
    redactor,
    excerptAt: readExcerptInProject,
  };
  if (process.stdin.isTTY)
    await stderr.write('assay mcp talks to a coding agent over stdin; press Ctrl-C to end it\n');
  await serveMcp(host, {
    input: process.stdin,
    write: (text) => stdout.write(text),
    complain: (text) => void printError(stderr, escapeLine(text)),
    signal: watchSignals(stderr),
  });
  return EXIT.ok;
}
