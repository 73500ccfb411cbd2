import { defineConfig } from 'rolldown';

export default defineConfig({
  input: { cli: 'src/cli/entry.ts', index: 'src/index.ts', 'python-re': 'src/match/python-re/index.ts', judge: 'src/judge-sdk/index.ts' },
  platform: 'node',
  output: {
    dir: 'dist',
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    banner: (chunk) => (chunk.name === 'cli' && chunk.isEntry ? '#!/usr/bin/env node' : ''),
  },
});
