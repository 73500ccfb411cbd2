import { defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const DECLARATIONS = 'node_modules/.types';

/** The types of the public modules, from the declarations that `tsc` wrote: whoever installs the package needs no other package for them. */
export default defineConfig({
  input: {
    index: `${DECLARATIONS}/index.d.ts`,
    'python-re': `${DECLARATIONS}/base/match/python-re/index.d.ts`,
    judge: `${DECLARATIONS}/checks/judge-sdk/index.d.ts`,
    vitest: `${DECLARATIONS}/vitest/index.d.ts`,
  },
  external: ['vitest'],
  plugins: [dts({ dtsInput: true, tsconfig: false })],
  output: { dir: 'dist/types', chunkFileNames: '[name].d.ts' },
});
