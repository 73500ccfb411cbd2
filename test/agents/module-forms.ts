export type PackageType = 'commonjs' | 'module' | 'none';

export interface ModuleForm {
  /** The agent is the first one. Each counts its calls with `next` of a module of the project. */
  readonly files: Readonly<Record<string, string>>;
  /** What it says before the count. */
  readonly says?: string;
  /** Node keeps its state from file to file, so only that it loads is tested. */
  readonly isShared?: boolean;
  /** Node itself cannot do it in the other ones. */
  readonly types?: readonly PackageType[];
}

const COUNTER = 'let count = 0;\nexport const next = () => ++count;\n';
const TYPED_COUNTER = 'let count: number = 0;\nexport const next = (): number => ++count;\n';
const REQUIRED_COUNTER = 'let count = 0;\nexports.next = () => ++count;\n';

const agentWith = (value: string) => `export const agent = () => ${value} + ' ' + next();\n`;

/** `export` and `import`, in every kind of file. */
const modules = Object.fromEntries(
  ['js', 'mjs', 'ts', 'mts', 'jsx', 'tsx'].map((extension) => {
    const counter = /ts/.test(extension) ? TYPED_COUNTER : COUNTER;
    const type = /ts/.test(extension) ? ': string' : '';
    const form: ModuleForm = {
      files: {
        [`agent.${extension}`]: `import { next } from './counter.${extension}';\nconst word${type} = 'yes';\n${agentWith('word')}`,
        [`counter.${extension}`]: counter,
      },
    };
    return [`a module in .${extension}`, form];
  }),
);

/** What TypeScript has that Node cannot strip. */
const TYPESCRIPT: Readonly<Record<string, ModuleForm>> = {
  enums: {
    files: {
      'agent.ts': `import { Word } from './words.ts';\nimport { next } from './counter.ts';\n${agentWith('Word.Yes')}`,
      'words.ts': `export { Word } from './all-words.ts';\n`,
      'all-words.ts': `export enum Word { Yes = 'yes' }\n`,
      'counter.ts': TYPED_COUNTER,
    },
  },
  'enums in .mts': {
    files: {
      'agent.mts': `import { next } from './counter.mts';\nenum Word { Yes = 'yes' }\n${agentWith('Word.Yes')}`,
      'counter.mts': TYPED_COUNTER,
    },
  },
  'namespaces and parameter properties': {
    files: {
      'agent.ts': `import { next } from './counter.ts';
namespace Words { export const yes = 'yes'; }
class Said { constructor(readonly word: string) {} }
${agentWith('new Said(Words.yes).word')}`,
      'counter.ts': TYPED_COUNTER,
    },
  },
  decorators: {
    files: {
      'agent.ts': `import { next } from './counter.ts';
function loud(_target: object, _key: string, descriptor: PropertyDescriptor) {
  const before = descriptor.value;
  descriptor.value = () => before() + 's';
}
class Words { @loud static yes() { return 'ye'; } }
${agentWith('Words.yes()')}`,
      'counter.ts': TYPED_COUNTER,
    },
  },
  'types without the keyword': {
    files: {
      'agent.ts': `import { next, Word } from './counter.ts';\nconst word: Word = 'yes';\n${agentWith('word')}`,
      'counter.ts': `${TYPED_COUNTER}export type Word = string;\n`,
    },
  },
  'path aliases': {
    files: {
      'agents/agent.ts': `import { next } from '@/counter';\n${agentWith(`'yes'`)}`,
      'src/counter.ts': TYPED_COUNTER,
      'tsconfig.json': `{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }`,
    },
  },
  'path aliases in .mts': {
    files: {
      'agents/agent.mts': `import { next } from '@/counter.mts';\n${agentWith(`'yes'`)}`,
      'src/counter.mts': TYPED_COUNTER,
      'tsconfig.json': `{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }`,
    },
  },
  'export =': {
    files: {
      'agent.ts': `import counter = require('./counter');\nconst agent = () => 'yes ' + counter.next();\nexport = agent;\n`,
      'counter.ts': `let count: number = 0;\nexport = { next: () => ++count };\n`,
    },
  },
  'module.exports in .ts': {
    files: {
      'agent.ts': `const { next } = require('./counter');\nmodule.exports = { agent: (): string => 'yes ' + next() };\n`,
      'counter.ts': `let count: number = 0;\nmodule.exports = { next: () => ++count };\n`,
    },
  },
  'require in .cts': {
    files: {
      'agent.cts': `const { next } = require('./counter.cts');\nexports.agent = (): string => 'yes ' + next();\n`,
      'counter.cts': REQUIRED_COUNTER,
    },
  },
  'export in .cts': {
    files: {
      'agent.cts': `import { next } from './counter.cts';\n${agentWith(`'yes'`)}`,
      'counter.cts': TYPED_COUNTER,
    },
  },
};

/** How a module names another. */
const NAMES: Readonly<Record<string, ModuleForm>> = {
  'no extension and folders': {
    files: {
      'agent.ts': `import { next } from './lib';\nimport { word } from './words';\n${agentWith('word')}`,
      'lib/index.ts': `export * from './counter';\n`,
      'lib/counter.ts': TYPED_COUNTER,
      'words.ts': `export const word: string = 'yes';\n`,
    },
  },
  'no extension in .js': {
    files: {
      'agent.js': `import { next } from './lib';\n${agentWith(`'yes'`)}`,
      'lib/index.js': COUNTER,
    },
  },
  '.js for .ts': {
    files: {
      'agent.ts': `import { next } from './counter.js';\nimport { word } from './word.mjs';\n${agentWith('word')}`,
      'counter.ts': TYPED_COUNTER,
      'word.mts': `export const word: string = 'yes';\n`,
    },
  },
  'path aliases in .js': {
    files: {
      'agents/agent.js': `import { next } from '@/counter.js';\n${agentWith(`'yes'`)}`,
      'src/counter.js': COUNTER,
      'tsconfig.json': `{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }`,
    },
  },
  'path aliases in .mjs': {
    files: {
      'agents/agent.mjs': `import { next } from '~/counter.mjs';\n${agentWith(`'yes'`)}`,
      'src/counter.mjs': COUNTER,
      'tsconfig.json': `{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }`,
    },
  },
  'dynamic imports': {
    files: {
      'agent.ts': `export const agent = async () => {\n  const { next } = await import('./counter.ts');\n  return 'yes ' + next();\n};\n`,
      'counter.ts': TYPED_COUNTER,
    },
  },
  'dynamic imports in .js': {
    files: {
      'agent.js': `export const agent = async () => {\n  const { next } = await import('./counter.js');\n  return 'yes ' + next();\n};\n`,
      'counter.js': COUNTER,
    },
  },
  'JSON with an attribute': {
    files: {
      'agent.ts': `import word from './word.json' with { type: 'json' };\nimport { next } from './counter.ts';\n${agentWith('word.word')}`,
      'word.json': '{ "word": "yes" }',
      'counter.ts': TYPED_COUNTER,
    },
  },
  'JSON with an attribute in .mjs': {
    files: {
      'agent.mjs': `import word from './word.json' with { type: 'json' };\nimport { next } from './counter.mjs';\n${agentWith('word.word')}`,
      'word.json': '{ "word": "yes" }',
      'counter.mjs': COUNTER,
    },
  },
  'JSON without one': {
    files: {
      'agent.ts': `import word from './word.json';\nimport { next } from './counter.ts';\n${agentWith('word.word')}`,
      'word.json': '{ "word": "yes" }',
      'counter.ts': TYPED_COUNTER,
    },
  },
  'JSON without one in .js': {
    files: {
      'agent.js': `import word from './word.json';\nimport { next } from './counter.js';\n${agentWith('word.word')}`,
      'word.json': '{ "word": "yes" }',
      'counter.js': COUNTER,
    },
  },
};

/** Both kinds of modules, and packages. */
const MIXED: Readonly<Record<string, ModuleForm>> = {
  'require in .cjs': {
    files: {
      'agent.cjs': `const { next } = require('./counter.cjs');\nexports.agent = () => 'yes ' + next();\n`,
      'counter.cjs': REQUIRED_COUNTER,
    },
  },
  'require in .js': {
    files: {
      'agent.js': `const { next } = require('./counter');\nmodule.exports = () => 'yes ' + next();\n`,
      'counter.js': REQUIRED_COUNTER,
    },
  },
  'a .cjs that requires a module': {
    isShared: true,
    files: {
      'agent.cjs': `const { next } = require('./counter.js');\nexports.agent = () => 'yes ' + next();\n`,
      'counter.js': COUNTER,
    },
  },
  'a .ts that imports .cjs and .mjs and .js': {
    files: {
      'agent.ts': `import { next } from './counter.cjs';\nimport { next as two } from './two.mjs';\nimport { next as three } from './three.js';
export const agent = (): string => 'yes ' + Math.max(next(), two(), three());\n`,
      'counter.cjs': REQUIRED_COUNTER,
      'two.mjs': COUNTER,
      'three.js': COUNTER,
    },
  },
  'a .mjs that imports .js and .cjs': {
    files: {
      'agent.mjs': `import { next } from './counter.js';\nimport words from './words.cjs';\n${agentWith('words.yes')}`,
      'counter.js': COUNTER,
      'words.cjs': `module.exports = { yes: 'yes' };\n`,
    },
  },
  'a .mjs that imports .ts': {
    files: {
      'agent.mjs': `import { next } from './counter.ts';\n${agentWith(`'yes'`)}`,
      'counter.ts': TYPED_COUNTER,
    },
  },
  'top-level await': {
    files: {
      'agent.ts': `import { next } from './counter.ts';\nconst word: string = await Promise.resolve('yes');\n${agentWith('word')}`,
      'counter.ts': `await null;\n${TYPED_COUNTER}`,
    },
  },
  'top-level await in .js': {
    files: {
      'agent.js': `import { next } from './counter.js';\nconst word = await Promise.resolve('yes');\n${agentWith('word')}`,
      'counter.js': COUNTER,
    },
  },
  'packages of both kinds': {
    files: {
      'agent.ts': `import { next } from './counter.ts';\nimport only, { word } from 'only-module';\nimport commonjs from 'only-commonjs';\nimport { end } from 'only-commonjs/end';
${agentWith(`only() + word + commonjs.word + end`)}`,
      'counter.ts': TYPED_COUNTER,
    },
  },
  'packages of both kinds in .js': {
    files: {
      'agent.js': `import { next } from './counter.js';\nimport only, { word } from 'only-module';\nimport commonjs from 'only-commonjs';\nimport { end } from 'only-commonjs/end';
${agentWith(`only() + word + commonjs.word + end`)}`,
      'counter.js': COUNTER,
    },
  },
  'packages that .cjs requires': {
    files: {
      'agent.cjs': `const { next } = require('./counter.cjs');\nconst { word } = require('only-commonjs');\nexports.agent = () => 'yes' + word + ' ' + next();\n`,
      'counter.cjs': REQUIRED_COUNTER,
    },
  },
  'a default export and import.meta': {
    files: {
      'agent.ts': `import { next } from './counter.ts';\nimport { basename } from 'node:path';\nimport { fileURLToPath } from 'node:url';
export default (): string => basename(fileURLToPath(import.meta.url)) + ' ' + next();\n`,
      'counter.ts': TYPED_COUNTER,
    },
    says: 'agent.ts',
  },
  '__dirname in .ts': {
    files: {
      'agent.ts': `import { next } from './counter.ts';\nimport { basename } from 'node:path';\n${agentWith('basename(__filename)')}`,
      'counter.ts': TYPED_COUNTER,
    },
    says: 'agent.ts',
    types: ['commonjs'],
  },
};

/** Every form, each in a folder of its own. */
export const MODULE_FORMS: Readonly<Record<string, ModuleForm>> = {
  ...modules,
  ...TYPESCRIPT,
  ...NAMES,
  ...MIXED,
};

/** What they find in node_modules. */
export const PACKAGES = {
  'node_modules/only-module/package.json': '{ "name": "only-module", "type": "module", "exports": "./i.js" }',
  'node_modules/only-module/i.js': `export default () => 'y';\nexport const word = 'e';\n`,
  'node_modules/only-commonjs/package.json':
    '{ "name": "only-commonjs", "main": "i.js", "exports": { ".": "./i.js", "./end": "./end.js" } }',
  'node_modules/only-commonjs/i.js': `module.exports = { word: '' };\n`,
  'node_modules/only-commonjs/end.js': `exports.end = 's';\n`,
};
