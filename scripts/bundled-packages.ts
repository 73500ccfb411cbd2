// Everything that is bundled into dist/: the packages named here, and what they depend on. The build fails when it
// bundles anything else.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLED = [
  '@agentclientprotocol/sdk',
  '@ai-sdk/anthropic',
  '@ai-sdk/azure',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@clack/prompts',
  '@modelcontextprotocol/server',
  'ai',
  'ajv',
  'chokidar',
  'diff',
  'fzstd',
  'get-tsconfig',
  'jiti',
  'js-yaml',
  'lowlight',
  'marked',
  'picocolors',
  'preact',
  'std-env',
  'tinyglobby',
  'vscode-languageserver',
  'vscode-languageserver-textdocument',
  'yaml',
  // What `ai` takes as a peer.
  'zod',
];

export interface BundledPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
}

/** Sorted by name. */
export function bundledPackages(): readonly BundledPackage[] {
  const found = new Map<string, BundledPackage>();
  const waiting = BUNDLED.map((name) => ({ name, from: 'node_modules' }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, from } = next;
    const folder = [join(from, name), join('node_modules', name)].find((path) =>
      existsSync(join(path, 'package.json')),
    );
    if (folder === undefined || found.has(name)) continue;
    const manifest = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as BundledPackage['manifest'];
    found.set(name, { name, folder, manifest });
    for (const dependency of Object.keys(manifest.dependencies ?? {}))
      waiting.push({ name: dependency, from: join(folder, 'node_modules') });
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
