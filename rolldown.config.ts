import { defineConfig } from 'rolldown';

/** What `assay --version` and `--help` need is in the entry; what nearly every other command needs is one file. */
const CORE =
  /\/src\/(?:(?:model|schema|match|formats|assertions|load|run|journal|config|api|reporters|agents|processes|retry|judges|models|compare|stats)\/|queue\/queue-(?:address|error))|\/node_modules\/(?:js-yaml|picocolors)\//;
const NOT_CORE =
  /\/src\/(?:models\/ai-sdk|api\/(?:(?:check-judge|check-suite|update-expected)\/|(?:work|run-queue|attempt-maker|checked-suites)\.ts)|load\/dataset-lines|reporters\/(?:jsonl?|junit|github|markdown|tap|xml|test-outcomes|html)[.-])/;
const BASE =
  /\/src\/(?:schema\/did-you-mean|match\/(?:redact-secrets|secret-pattern)|version|cli\/(?:command|complain)|reporters\/(?:registry|terminal-text))\.ts|\/package\.json$/;

export default defineConfig({
  input: {
    cli: 'src/cli/entry.ts',
    index: 'src/index.ts',
    'python-re': 'src/match/python-re/index.ts',
    judge: 'src/judge-sdk/index.ts',
  },
  platform: 'node',
  // Optional peers: whoever uses a queue installs them.
  external: ['bullmq', 'ioredis', 'pg'],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    banner: (chunk) => (chunk.name === 'cli' && chunk.isEntry ? '#!/usr/bin/env node' : ''),
    codeSplitting: {
      groups: [
        { name: 'base', test: BASE, priority: 2 },
        { name: 'core', test: (id) => CORE.test(id) && !NOT_CORE.test(id), priority: 1 },
      ],
    },
  },
});
