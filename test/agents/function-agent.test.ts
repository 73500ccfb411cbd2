import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from './create-agent.ts';
import { contractSuite, type AgentKind } from './contract-suite.ts';

const BODY = (types: { readonly input: string; readonly memory: string }) => `
async function agent(input${types.input}, memory${types.memory}, context) {
  const folder = FOLDER;
  switch (input) {
    case 'mutate':
      memory.list.push(2);
      delete memory.inner.a;
      return { output: '', memory };
    case 'number':
      return { output: 5 };
    case 'crash':
      throw new TypeError('boom');
    case 'exit':
      return process.exit(3);
    case 'kill':
      setTimeout(() => process.exit(4), 1);
      return new Promise(() => {});
    case 'garbage': {
      const memory = {};
      memory.self = memory;
      return { output: '', memory };
    }
    case 'unencodable':
      return { output: '', memory: { list: [new Set([1])] } };
    case 'flood':
      return 'x'.repeat(11 * 1024 * 1024);
    case 'text':
      return 'just text\\n';
    case 'print':
      await null;
      console.error('to %s é', 'stderr');
      return { output: 'printed' };
    case 'slow':
      fs.writeFileSync(folder + '/pid', String(process.pid));
      return new Promise((resolve) => context.signal.addEventListener('abort', () => {}));
    default:
      return { output: input, memory, tools_used: ['echo_tool'] };
  }
}
`;

const ESM = { head: `import * as fs from 'node:fs';`, tail: 'export { agent };\nexport const workers = 4;' };
const DEFAULT = { head: `import fs from 'node:fs';`, tail: 'export default agent;' };
const CJS = { head: `const fs = require('node:fs');`, tail: 'module.exports = { agent };' };
const TYPES = { input: ': string', memory: ': Record<string, any>' };
const NO_TYPES = { input: '', memory: '' };

for (const [file, module, types] of [
  ['agent.ts', ESM, TYPES],
  ['agent.mts', DEFAULT, TYPES],
  ['agent.mjs', ESM, NO_TYPES],
  ['agent.cjs', CJS, NO_TYPES],
] as const) {
  const kind: AgentKind = {
    name: `function in ${file}`,
    create(folder) {
      const source = [module.head, BODY(types).replace('FOLDER', JSON.stringify(folder)), module.tail].join(
        '\n',
      );
      writeFileSync(
        join(folder, file),
        file.endsWith('ts') ? source.replace('context)', 'context: any)') : source,
      );
      return createAgent(`./${file}`, { cwd: folder, env: process.env });
    },
    hasProcess: false,
    can: ['text', 'print', 'bigint'],
    errors: {
      crash: { kind: 'agent', message: /^the agent threw TypeError: boom\n.*agent\.[cm]?[jt]s:\d+/ },
      exit: { kind: 'agent', message: /^the agent called process\.exit\(3\)/ },
      garbage: { kind: 'contract', message: /^`memory\.self` of the agent's reply holds itself/ },
      unencodable: { kind: 'contract', message: /^`memory\.list\[0\]` of the agent's reply is a Set/ },
      flood: { kind: 'limit', message: /more than 10 MB/ },
    },
  };
  contractSuite(kind);
}
