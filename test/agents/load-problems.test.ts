import { join } from 'node:path';
import { describe, test } from 'vitest';
import { effort } from '../effort.ts';
import { installGroup } from '../frameworks/install-group.ts';
import { createProject, startCli } from '../project.ts';

/** Whichever Node it is, and whoever loads the file. */
const nodes = effort({ short: [undefined], long: [undefined, 'n22', 'n24'] });

const FILES = {
  'a.test.yaml': '- { id: a, input: x, assert: { output.includes: "" } }',
  'words.mjs': 'export const word = 1;\n',
  'tools.ts': 'export const tool = 1;\n',
  'node_modules/installed/package.json': '{ "name": "installed", "exports": { ".": "./i.js" } }',
  'node_modules/installed/i.js': 'exports.a = 1;\n',
  'lib/broken.mjs': 'export const a = {;\n',
  'src/helper.py': 'a = 1\n',
  'broken.py': 'def other(:\n    pass\n',
};

/** The file of an agent, and what is printed about it. */
const ALWAYS: readonly (readonly [file: string, source: string, printed: string])[] = [
  [
    'agent.mjs',
    '// one\n\nexport const a = 1;\nexport const agent = ;\n',
    `cannot be loaded: SyntaxError: Unexpected token
    at agent.mjs:4:22
    2 |
    3 | export const a = 1;
  > 4 | export const agent = ;
      |                      ^`,
  ],
  [
    'agent.ts',
    `import { Client } from '@acme/sdk/chat';\nexport const agent = (input: string) => new Client(input);\n`,
    `cannot be loaded: the package "@acme/sdk" is not installed
    at agent.ts:1:24
  > 1 | import { Client } from '@acme/sdk/chat';
      |                        ^
  hint: run \`npm install @acme/sdk\``,
  ],
  [
    'agents/agent.ts',
    `import { tool } from '../tool.ts';\nexport const agent = () => tool;\n`,
    `cannot be loaded: tool.ts does not exist
    at agents/agent.ts:1:22
  > 1 | import { tool } from '../tool.ts';
      |                      ^
  hint: did you mean "tools.ts"?`,
  ],
  [
    'agent.js',
    `export const agent = () => 'hi';\n  throw new TypeError('no key');\n`,
    `cannot be loaded: TypeError: no key
    at agent.js:2:9
    1 | export const agent = () => 'hi';
  > 2 |   throw new TypeError('no key');
      |         ^`,
  ],
  [
    'agent.mjs',
    'export const reply = () => 1;\nexport const N = 2;\n',
    'exports no agent (it exports N, reply): use ./agent.mjs:reply, or name a function `agent`',
  ],
  [
    'bot.py',
    'from json import loads\ndef reply(x): return x\ndef _own(x): return x\nclass Bot: pass\n',
    ': there is no function agent in it: use ./bot.py:reply, or name a function `agent`',
  ],
  [
    'bot.py',
    'import os\n\nimport broken\n',
    `cannot be loaded: SyntaxError: invalid syntax
    at broken.py:1:11
  > 1 | def other(:
      |           ^`,
  ],
  [
    'agents/bot.py',
    'import yaml_nothing.sub\n',
    `cannot be loaded: ModuleNotFoundError: No module named 'yaml_nothing'
  File "agents/bot.py", line 1, in <module>
    import yaml_nothing.sub
  hint: run \`pip install yaml_nothing\``,
  ],
];

const MORE: typeof ALWAYS = [
  [
    'agent.ts',
    'enum A { B }\nexport const agent: = A.B;\n',
    `cannot be loaded: SyntaxError: Unexpected token
    at agent.ts:2:21
    1 | enum A { B }
  > 2 | export const agent: = A.B;
      |                     ^`,
  ],
  [
    'agent.cjs',
    'exports.agent = () => {\n',
    `cannot be loaded: SyntaxError: Unexpected token
    at agent.cjs:2:1
    1 | exports.agent = () => {
  > 2 |
      | ^`,
  ],
  [
    'agent.mjs',
    `import './lib/broken.mjs';\n`,
    `cannot be loaded: SyntaxError: Unexpected token
    at lib/broken.mjs:1:19
  > 1 | export const a = {;
      |                   ^`,
  ],
  [
    'agent.ts',
    'const a: number = 1;\nexport const agent: RegExp = /(/;\n',
    `cannot be loaded: SyntaxError: Invalid regular expression: /(/: Unterminated group
    at agent.ts:2:30
    1 | const a: number = 1;
  > 2 | export const agent: RegExp = /(/;
      |                              ^`,
  ],
  [
    'agent.mjs',
    `import { wrod } from './words.mjs';\nexport const agent = () => wrod;\n`,
    `cannot be loaded: SyntaxError: The requested module './words.mjs' does not provide an export named 'wrod'
    at agent.mjs:1:10
  > 1 | import { wrod } from './words.mjs';
      |          ^`,
  ],
  [
    'agent.cjs',
    `exports.agent = require("nothing-like-it");\n`,
    `cannot be loaded: the package "nothing-like-it" is not installed
    at agent.cjs:1:25
  > 1 | exports.agent = require("nothing-like-it");
      |                         ^
  hint: run \`npm install nothing-like-it\``,
  ],
  [
    'agent.mjs',
    `import a from 'installed/b';\nexport const agent = a;\n`,
    `cannot be loaded: the package "installed" has no "installed/b"
    at agent.mjs:1:15
  > 1 | import a from 'installed/b';
      |               ^
  hint: check the name, and the version of installed that is installed`,
  ],
  [
    'agent.ts',
    `import a from '@/lib/a';\nexport const agent = a;\n`,
    `cannot be loaded: there is no module "@/lib/a"
    at agent.ts:1:15
  > 1 | import a from '@/lib/a';
      |               ^
  hint: if it is an alias, name it in \`paths\` of tsconfig.json`,
  ],
  [
    'bot.py',
    'agent = 3\n',
    ': agent is an int, not a function: write `def agent(input, memory): return {"output": "..."}`',
  ],
  [
    'agents/bot.py',
    'import src.helper\n',
    `cannot be loaded: ModuleNotFoundError: No module named 'src'
  File "agents/bot.py", line 1, in <module>
    import src.helper
  hint: src is in this folder: set PYTHONPATH=.`,
  ],
];

describe.each(nodes)('Node %s', (name) => {
  test.concurrent.for(effort({ short: ALWAYS, long: [...ALWAYS, ...MORE] }))(
    '%s that cannot be loaded: %j',
    async ([file, source, printed], { expect, onTestFinished }) => {
      const project = createProject({ ...FILES, [file]: source });
      onTestFinished(() => project.remove());
      const node = name && join(await installGroup('nodes'), `node_modules/${name}/bin/node`);
      const args = ['run', '--agent', `./${file}`, '--no-record'];
      const { stderr, exitCode } = await startCli(args, { cwd: project.path, node });
      expect(stderr.trimEnd()).toBe(`assay: ./${file}${printed.startsWith(':') ? '' : ' '}${printed}`);
      expect(exitCode).toBe(2);
    },
  );
});
