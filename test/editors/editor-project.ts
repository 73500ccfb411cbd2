import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { CLI } from '../project.ts';
import { LanguageClient } from './language-client.ts';

interface EditorProject {
  readonly path: string;
  uri(name: string): string;
  /** `assay lsp` in this project. It must end in order, and print nothing beside the protocol. */
  start(initialize?: object): Promise<LanguageClient>;
}

/** A project on disk, in a folder with a space and a letter beyond ASCII in its name. There until the test ends. */
export function createEditorProject(files: Readonly<Record<string, string>>): EditorProject {
  const path = join(mkdtempSync(join(tmpdir(), 'assay-lsp-')), 'my prøject');
  onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return {
    path,
    uri: (name) => pathToFileURL(join(path, name)).href,
    async start(initialize = {}) {
      const client = new LanguageClient([CLI, 'lsp', '--stdio'], { cwd: path, initialize });
      onTestFinished(async () => {
        const exitCode = await client.end();
        expect([client.stderr, exitCode]).toEqual(['', 0]);
      });
      await client.ready();
      return client;
    },
  };
}

export const SUITE =
  'evalcases:\n  - id: a\n    input: hi\n    evaluators: [{ type: contains, value: hi }]\n';
