import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from './create-agent.ts';
import { contractSuite } from './contract-suite.ts';
import { functionSource } from './test-agent.ts';

const NO_TYPES = { input: '', memory: '', context: '' };
const TYPES = { input: ': string', memory: ': Record<string, any>', context: ': any' };

// `agent.ts` is an example of its kind, which target-kinds.test.ts runs.
for (const [file, head, tail, types] of [
  ['agent.mts', `import fs from 'node:fs';`, 'export default agent;', TYPES],
  ['agent.mjs', `import * as fs from 'node:fs';`, 'export { agent };\nexport const workers = 4;', NO_TYPES],
  ['agent.cjs', `const fs = require('node:fs');`, 'module.exports = { agent };', NO_TYPES],
] as const)
  contractSuite({
    name: `function in ${file}`,
    create(folder) {
      writeFileSync(join(folder, file), [head, functionSource(folder, types), tail].join('\n'));
      return createAgent(`./${file}`, { cwd: folder, env: process.env });
    },
    hasProcess: false,
    can: ['text', 'print', 'bigint', 'late'],
    errors: {
      crash: { kind: 'agent', message: /^the agent threw TypeError: boom\n.*agent\.[cm]?[jt]s:\d+/ },
      exit: { message: /^the (?:process of the )?agent exited with code 3/ },
    },
  });
