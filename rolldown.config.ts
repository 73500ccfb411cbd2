import { chmodSync } from 'node:fs';
import { defineConfig, type Plugin } from 'rolldown';
import { bundledPackages } from './scripts/bundled-packages.ts';

/**
 * What `assay --version` and `--help` need is in the entry; what nearly every other command needs is one file. New use cases and
 * reporters are not in it.
 */
const CORE =
  /\/src\/(?:(?:model|schema|match|formats|assertions|load|run|verdicts|journal|config|reporters|agents|processes|files)\/|api\/(?:basics|evaluation|recorded|resume|run|select|targets)\/|api\/(?:baseline\/comparison-exit|shards\/shard-error|changes\/(?:changed-usage-error|invalid-files|run-declined))|queue\/queue-(?:address|error)|llm\/(?:interpolate|model-config)|judges\/judge-config|stats\/)|\/node_modules\/(?:js-yaml|picocolors)\//;
const NOT_CORE =
  /\/src\/(?:agents\/(?:chat\/|jiti-loader|http-|mock-agent|python-|template-agent|command-agent)|api\/(?:run\/run-queue|targets\/run-(?:code|cassettes))|stats\/(?:sign-flip-test|paired-|exact|fisher|holm|mcnemar|tango|clustered)|load\/(?:dataset-lines|code\/)|config\/target-code|reporters\/(?:(?!terminal-)[\w-]+-reporter|agent-|github-|markdown-|xml-|test-outcomes))/;
const BASE =
  /\/src\/(?:schema\/did-you-mean|version|system-time|agents\/process-ends|cli\/(?:command|print-error)|files\/(?:write-whole|draft-file)|schema\/parse-duration|model\/gate|run\/shard|reporters\/(?:registry|terminal-text))\.ts|\/package\.json$/;

const SHEBANG = '#!/usr/bin/env node';

/**
 * Modules to import from, with the same content: `index.js` beside `index.cjs`. `cli.js` is for those who start it by
 * this name, as links of npx made for earlier builds do.
 */
const modules: Plugin = {
  name: 'modules',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry) continue;
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
    'python-re': 'src/match/python-re/index.ts',
    judge: 'src/judge-sdk/index.ts',
    'vitest-suite': 'src/vitest/assay-suite.ts',
    'schema-thread': 'src/threads/schema-thread.ts',
    'watchdog-thread': 'src/threads/watchdog-thread.ts',
  },
  platform: 'node',
  plugins: [modules, programs, known],
  // Optional peers: whoever uses a queue installs them.
  external: ['bullmq', 'ioredis', 'pg'],
  output: {
    dir: 'dist',
    // CommonJS starts faster, and what was compiled can be kept: see src/cli/use-compile-cache.ts.
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    banner: (chunk) => (chunk.name === 'cli' && chunk.isEntry ? SHEBANG : ''),
    codeSplitting: {
      groups: [
        // A file that imports modules cannot be kept compiled: see src/cli/keep-compiled.ts.
        { name: 'load-module', test: /\/src\/agents\/load-module\.ts$/, priority: 3 },
        { name: 'base', test: BASE, priority: 2 },
        { name: 'core', test: (id) => CORE.test(id) && !NOT_CORE.test(id), priority: 1 },
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
