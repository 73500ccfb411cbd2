import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** One script and one style sheet with fixed names: a report inlines them into one file. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari17.5'],
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: 'assets/page.js',
        assetFileNames: 'assets/page[extname]',
      },
    },
  },
});
