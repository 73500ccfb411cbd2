import { chmodSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';
import { lazyChunks } from './scripts/bundle/lazy-chunks.ts';
import { bundledPackages } from './scripts/bundled-packages.ts';

/**
 * Chunks and their modules: `base` is what `assay --version` and `--help` load, `core` what a run of one test loads, `early` what
 * starts the process of its agent, `host` what that process loads, and `both` what it and `--version` need.
 */
const START = Object.entries(
  JSON.parse(readFileSync('scripts/bundle/start-modules.json', 'utf8')) as Record<string, string[]>,
).map(([name, paths]) => ({ name, paths: new Set(paths) }));
const pathOf = (id: string): string => relative(import.meta.dirname, id);

/** Rooms that many commands use: what is not in `core` is one chunk for each room. */
const SHARED =
  /^src\/(?:(?:base|agents|suites|runs|show)\/)?(model|schema|match|stats|formats|load|config|checks(?!\/(?:judges|user-code|judge-sdk)\/)|run(?!\/queue\/)|fold|journal|reporters|processes|agents(?!\/(?:llm|processes)\/)|evidence(?!\/(?:cassettes|faults|recordings)\/)|api(?=\/(?:basics|baseline|recorded|resume|select)\/)|cli(?=\/(?!entry)[\w-]+\.ts$))\//;
/** Used by few commands, large, and loaded by `await import()`. */
const APART =
  /^src\/(?:base\/match\/python-re\/library|agents\/(?:chat\/|host\/|jiti-loader|compile-typescript|http-|python-)|base\/stats\/(?:sign-flip-test|paired-|exact|fisher|holm|mcnemar|tango|clustered)|suites\/load\/dataset-lines|show\/reporters\/agent-)/;

function sharedRoom(id: string): string | null {
  const path = pathOf(id);
  return APART.test(path) ? null : (SHARED.exec(path)?.[1] ?? null);
}

/** What few commands use, and what is used together. Without these there would be some eighty more files of a few hundred characters. */
const TOGETHER: readonly { readonly name: string; readonly files: RegExp }[] = [
  {
    name: 'ajv',
    files:
      /^node_modules\/(?:ajv|fast-uri|fast-deep-equal|json-schema-traverse)\/|^src\/api\/evaluation\/schema-checker/,
  },
  { name: 'cassettes', files: /^src\/(?:evidence|api)\/cassettes\// },
  {
    name: 'commands',
    files:
      /^src\/cli\/(?:commands\/(?:baseline|cassettes|compare|export|merge|prepare|promote|prune|report|schema|show|validate|view)\.|grade-prepared)/,
  },
  {
    name: 'use-cases',
    files: /^src\/api\/(?:compare|export|list|prepare|promote|prune|report|show|shards)\//,
  },
  { name: 'compare', files: /^src\/runs\/compare\// },
  { name: 'convert', files: /^src\/suites\/convert\/(?!.*\/recognise-)/ },
  {
    name: 'documents',
    files:
      /^src\/show\/(?:reporters\/(?!agent-|terminal-)[\w-]+-reporter|reporters\/(?:github-|markdown-|xml-|test-outcomes)|view\/html-report)/,
  },
  {
    name: 'files',
    files:
      /^src\/base\/(?:files\/(?:file-look|hash-file|listed-files|spool)|system\/(?:own-requests|small-heap))|^src\/(?:api\/changes\/(?:changed-usage-error|invalid-files|run-declined)|run\/queue\/queue-address)/,
  },
  { name: 'judging', files: /^src\/(?:checks\/judges|agents\/llm\/(?!ai-sdk\.))/ },
  { name: 'plain-agents', files: /^src\/agents\/(?:mock-agent|template-agent|command-agent)/ },
  {
    name: 'user-code',
    files:
      /^src\/(?:checks\/user-code\/|api\/evaluation\/(?:evaluator-files|locate-evaluator|register-evaluators|script-refusal))/,
  },
];

/** One chunk for each module, to find out which modules a command loads: see scripts/bundle/start-modules.ts. */
const IS_ANALYSIS = process.env['ASSAY_BUNDLE_ANALYSIS'] !== undefined;

const SHEBANG = '#!/usr/bin/env node';

/**
 * Modules to import from, with the same content: `index.js` beside `index.cjs`. `cli.js` is for those who start it by
 * this name, as links of npx made for earlier builds do.
 */
const modules: Plugin = {
  name: 'modules',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      // Nobody imports what runs in a thread or a process of its own.
      const isProgram = chunk.type === 'chunk' && chunk.exports.length === 0 && chunk.name !== 'cli';
      if (chunk.type !== 'chunk' || !chunk.isEntry || isProgram) continue;
      const lines = [
        ...(chunk.name === 'cli' ? [SHEBANG] : []),
        `import entry from './${chunk.fileName}';`,
        `export const { ${chunk.exports.join(', ')} } = entry;`,
      ];
      this.emitFile({ type: 'asset', fileName: `${chunk.name}.js`, source: `${lines.join('\n')}\n` });
    }
  },
};

/** The notices and the bill of materials must name everything that is inside. */
const known: Plugin = {
  name: 'known-packages',
  generateBundle(_options, bundle) {
    const names = new Set(bundledPackages().map(({ name }) => name));
    const ids = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    for (const id of ids) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
      if (name !== undefined && !names.has(name))
        this.error(`${name} is bundled, but scripts/bundled-packages.ts does not name it`);
    }
  },
};

/** What runs in a thread or a process starts when it is loaded: no other chunk may load it for something else that is in it. */
const startersApart: Plugin = {
  name: 'starters-apart',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const starter = chunk.imports.find((file) => /^(?:[\w-]+-thread|agent-host|cli)\.cjs$/.test(file));
      if (starter !== undefined) this.error(`${chunk.fileName} imports ${starter}`);
    }
  },
};

/**
 * Parts of bundled packages that nothing of ours reaches, or that are there twice, 450 kB of them: the validator of forms that an MCP
 * server asks people to fill in, Vercel's gateway, which the AI SDK takes for a model that is a name, DeepSeek's models on Azure, and
 * the second copy of OpenAI's models, which Azure uses.
 */
const UNREACHED: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server/_shims': `
    export { default as process } from 'node:process';
    export class DefaultJsonSchemaValidator {}`,
  '@ai-sdk/gateway': `
    export class GatewayError { static isInstance() { return false; } }
    export { GatewayError as GatewayAuthenticationError };
    export const createGateway = undefined, gateway = undefined;`,
  '@ai-sdk/deepseek/internal': 'export const DeepSeekChatLanguageModel = undefined;',
  '@ai-sdk/openai/internal': `
    import { createOpenAI } from '@ai-sdk/openai';
    const { chat, responses, tools } = createOpenAI({ apiKey: 'unused' });
    const [OpenAIChatLanguageModel, OpenAIResponsesLanguageModel] = [chat, responses].map((create) => create('unused').constructor);
    const { codeInterpreter, fileSearch, imageGeneration, webSearch, webSearchPreview } = tools;
    export { OpenAIChatLanguageModel, OpenAIResponsesLanguageModel };
    export { codeInterpreter, fileSearch, imageGeneration, webSearch, webSearchPreview };
    export const OpenAICompletionLanguageModel = undefined, OpenAIEmbeddingModel = undefined, OpenAIImageModel = undefined;
    export const OpenAISpeechModel = undefined, OpenAITranscriptionModel = undefined;`,
};

const withoutUnreached: Plugin = {
  name: 'without-unreached',
  resolveId: (id) => (id in UNREACHED ? `\0${id}` : undefined),
  load: (id) => UNREACHED[id.slice(1)],
};

/** The compiler of jiti is one file in which modules have their paths as names, 90 kB of them: numbers do as well. */
const shortIds: Plugin = {
  name: 'short-ids',
  transform: {
    filter: { id: /\/jiti\/dist\/babel\.cjs$/ },
    handler(code) {
      const ids = new Map<string, string>();
      return code.replaceAll(/"\.\/node_modules\/\.pnpm\/[^"\\]+"/g, (path) => {
        if (!ids.has(path)) ids.set(path, `"${ids.size}"`);
        return ids.get(path)!;
      });
    },
  },
};

/** A link that npx made is used again after the next build: what it leads to must still be a program. */
const programs: Plugin = {
  name: 'programs',
  writeBundle({ dir }) {
    for (const name of ['cli.cjs', 'cli.js']) chmodSync(`${dir}/${name}`, 0o755);
  },
};

const programAndLibraries = defineConfig({
  input: {
    cli: 'src/cli/entry.ts',
    index: 'src/index.ts',
    'python-re': 'src/base/match/python-re/library.ts',
    judge: 'src/checks/judge-sdk/index.ts',
    'vitest-suite': 'src/vitest/assay-suite.ts',
    'schema-thread': 'src/api/evaluation/schema-thread.ts',
    'watchdog-thread': 'src/api/run/watchdog-thread.ts',
    'agent-host': 'src/agents/host/host-entry.ts',
  },
  platform: 'node',
  plugins: [
    withoutUnreached,
    shortIds,
    lazyChunks(/\/(?:rolldown-runtime|base|both)-/),
    modules,
    programs,
    known,
    startersApart,
  ],
  preserveEntrySignatures: 'allow-extension',
  // Optional peers: whoever uses a queue installs them.
  external: ['bullmq', 'ioredis', 'pg'],
  output: {
    dir: process.env['ASSAY_BUNDLE_ANALYSIS'] ?? 'dist',
    // CommonJS starts faster, and what was compiled can be kept: see src/base/files/use-compile-cache.ts.
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    banner: (chunk) => (chunk.name === 'cli' && chunk.isEntry ? SHEBANG : ''),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: IS_ANALYSIS
        ? [
            {
              name: (id) => pathOf(id).replaceAll('/', '__'),
              test: /\/(?:src|node_modules)\//,
              debugName: 'module',
            },
          ]
        : [
            // Only watching needs it, and `npm run generate:start` does not see it.
            {
              name: 'observe-inputs',
              test: /\/src\/agents\/host\/(?:observe-(?:inputs|servers|variables)|observed-names|wrap-call)\.ts$/,
              priority: 3,
            },
            // A file that imports modules cannot be kept compiled: see src/base/files/keep-compiled.ts.
            { name: 'load-module', test: /\/src\/agents\/load-module\.ts$/, priority: 3 },
            // 140 kB for `\N{NAME}` in a pattern, which nearly none has.
            { name: 'character-names', test: /\/character-names\.generated\.ts$/, priority: 3 },
            // Loaded when something must be compiled, and not with jiti.
            {
              name: 'compile-typescript',
              test: /\/src\/agents\/compile-typescript\.ts$|\/jiti\/dist\/babel\.cjs$/,
              priority: 3,
            },
            ...START.map(({ name, paths }) => ({
              name,
              test: (id: string) => paths.has(pathOf(id)),
              priority: 2,
            })),
            ...TOGETHER.map(({ name, files }) => ({
              name,
              test: (id: string) => files.test(pathOf(id)),
              priority: 1,
            })),
            { name: sharedRoom, debugName: 'room' },
          ],
    },
  },
});

/** `assay/vitest` is a module, and not CommonJS: vitest cannot be required. */
const vitestModule = defineConfig({
  input: { vitest: 'src/vitest/index.ts' },
  platform: 'node',
  external: ['vitest', './vitest-suite.js'],
  plugins: [
    {
      name: 'built-suite',
      resolveId: (id) =>
        id === './assay-suite.ts' ? { id: './vitest-suite.js', external: true } : undefined,
    },
  ],
  output: { dir: 'dist', format: 'esm', entryFileNames: '[name].js' },
});

export default [programAndLibraries, vitestModule];
