import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { printTargetCode } from '../../config/target-code.ts';

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

type Files = Readonly<Record<string, string>>;

/** The files that a target is found to run, with those that are named and are not there. */
function codeOf(
  files: Files,
  target: object,
  { config }: { readonly config?: string } = {},
): Record<string, string> {
  folder = mkdtempSync(join(tmpdir(), 'assay-code-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (text.startsWith('-> ')) symlinkSync(join(folder, text.slice(3)), join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  const source = {
    configs: config === undefined ? [] : [join(folder, config)],
    target: { name: 't', ...target },
    folder,
  };
  const suite = join(folder, 'tests', 'a.test.yaml');
  const { files: found } = printTargetCode(source as never, suite, { projectRoot: folder, env: {} });
  return Object.fromEntries(found);
}

const names = (found: Record<string, string>): readonly string[] => Object.keys(found).toSorted();

describe('what an agent runs', () => {
  test.each<[string, Files, object, readonly string[]]>([
    [
      'a script, and what it imports, in every way that names it',
      {
        'agent.ts': `import { a } from './a.js'; // a.ts
export * from "./b";
import './c/index.mjs';
const d = await import(/* later */ './d.mjs');
const e = require('./e.cjs'), { f } = require("./f");
const g = './g.mjs'; await import(g);
await import(\`./tools/\${name}.mjs\`); await import('./more/' + name);
new Worker(new URL('./worker.mjs?x=1', import.meta.url));
import data from './data.json' with { type: 'json' };
try { await import('./optional.mjs'); } catch {}
readFileSync('./notes.txt'); appendFileSync('./agent.log', '');`,
        'a.ts': `import './lib/deep.mjs';`,
        'lib/deep.mjs': `import('./agent-loop.mjs'); import '../agent.ts';`,
        'lib/agent-loop.mjs': '',
        'b/index.ts': '',
        'c/index.mjs': '',
        'd.mjs': '',
        'e.cjs': '',
        'f.cjs': '',
        'g.mjs': '',
        'tools/one.mjs': '',
        'tools/two.mjs': '',
        'tools/readme.md': '',
        'more/three.mjs': '',
        'worker.mjs': '',
        'data.json': '{}',
        'notes.txt': '',
        'agent.log': '',
        'unrelated.mjs': '',
      },
      { agent: './agent.ts:main' },
      'a.ts agent.ts b/index.ts c/index.mjs d.mjs data.json e.cjs f.cjs g.mjs lib/agent-loop.mjs lib/deep.mjs more/three.mjs optional.mjs tools/one.mjs tools/two.mjs worker.mjs'.split(
        ' ',
      ),
    ],
    [
      'packages of the project, and no installed ones',
      {
        'package.json': '{"imports": {"#own": {"import": "./src/own.mjs"}}}',
        'agent.mjs': `import 'shared'; import 'old/sub.js'; import 'installed'; import '#own'; import 'node:fs'; import 'fs';`,
        'src/own.mjs': '',
        'packages/shared/package.json': '{"name": "shared", "exports": {"import": "./main.mjs"}}',
        'packages/shared/main.mjs': `import './inner.mjs';`,
        'packages/shared/inner.mjs': '',
        'packages/old/sub.js': '',
        'packages/old/package.json': '{"name": "old"}',
        'node_modules/shared': '-> packages/shared',
        'node_modules/old': '-> packages/old',
        'node_modules/installed/package.json': '{"main": "index.js"}',
        'node_modules/installed/index.js': '',
      },
      { agent: 'agent.mjs' },
      'agent.mjs package.json packages/old/sub.js packages/shared/inner.mjs packages/shared/main.mjs packages/shared/package.json src/own.mjs'.split(
        ' ',
      ),
    ],
    [
      'a Python file, and the modules of the project that it imports',
      {
        'bot/agent.py': `import os, helper as h
from tools.search import find, rank  # both
from tools import (
    parse,  # a module
    VERSION,
)
def later():
    from lazy import thing
    importlib.import_module("plugins.one"); import inline
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "vendor"))
import vendored
runpy.run_path("script.py")`,
        'bot/helper.py': 'from rootmod import x',
        'bot/tools/__init__.py': 'from . import shared\nfrom .deep.er import y',
        'bot/tools/search.py': 'from .. import up',
        'bot/tools/parse.py': '',
        'bot/tools/shared.py': '',
        'bot/tools/unused.py': '',
        'bot/tools/deep/er.py': '',
        'bot/up.py': '',
        'bot/lazy.py': '',
        'bot/plugins/one.py': '',
        'bot/inline.py': '',
        'bot/vendor/vendored.py': '',
        'bot/script.py': '',
        'rootmod.py': '',
        'os.md': '',
      },
      { agent: './bot/agent.py' },
      'bot/agent.py bot/helper.py bot/inline.py bot/lazy.py bot/plugins/one.py bot/script.py bot/tools/__init__.py bot/tools/deep/er.py bot/tools/parse.py bot/tools/search.py bot/tools/shared.py bot/up.py bot/vendor/vendored.py rootmod.py'.split(
        ' ',
      ),
    ],
    [
      'the files of a command, and what these load',
      {
        'run.sh': `#!/bin/sh\n# not ./comment.mjs\nexec node "$(dirname "$0")/lib/main.mjs" --prompt=prompts/system.md\n`,
        'comment.mjs': '',
        'lib/main.mjs': `import './inner.mjs';`,
        'lib/inner.mjs': '',
        'prompts/system.md': '',
        'bin/tool': '#!/usr/bin/env python3\nimport helper\n',
        'bin/helper.py': '',
        'mod/__init__.py': '',
        'mod/cli.py': 'from . import core',
        'mod/core.py': '',
        'settings.toml': '',
      },
      {
        command: [
          'env',
          'A=b',
          './run.sh',
          'bin/tool',
          'python3',
          '-m',
          'mod.cli',
          '--settings=settings.toml',
        ],
      },
      'bin/helper.py bin/tool lib/inner.mjs lib/main.mjs mod/__init__.py mod/cli.py mod/core.py prompts/system.md run.sh settings.toml'.split(
        ' ',
      ),
    ],
    [
      'a line for a shell, from the folder of the suite',
      { 'tests/answer.py': 'import words', 'tests/words.py': '', 'tests/a b.txt': '', 'answer.py': '' },
      { command_template: `cat 'a b.txt' | python3 answer.py {PROMPT} > {OUTPUT_FILE}` },
      ['tests/a b.txt', 'tests/answer.py', 'tests/words.py'],
    ],
    [
      'cmd: and npm scripts',
      { 'package.json': '{"scripts": {"agent": "node ./src/start.mjs"}}', 'src/start.mjs': '' },
      { agent: 'cmd: npm run agent' },
      ['package.json', 'src/start.mjs'],
    ],
    [
      'the program of a server',
      { 'server.mjs': '' },
      { url: 'http://127.0.0.1:8000', start: ['node', 'server.mjs'] },
      ['server.mjs'],
    ],
    [
      'a server of Python, by its module',
      { 'app/main.py': 'from . import words', 'app/__init__.py': '', 'app/words.py': '' },
      { url: 'http://127.0.0.1:8000', start: ['uvicorn', 'app.main:app', '--reload'] },
      ['app/__init__.py', 'app/main.py', 'app/words.py'],
    ],
    [
      'a script of pyproject.toml',
      {
        'pyproject.toml': '[project.scripts]\nbot = "bot.cli:main"\n',
        'src/bot/__init__.py': '',
        'src/bot/cli.py': '',
      },
      { command: ['uv', 'run', 'bot'] },
      ['pyproject.toml', 'src/bot/__init__.py', 'src/bot/cli.py'],
    ],
    [
      'a target of make, in another folder',
      { Makefile: 'agent:\n\tcd bot && node main.mjs\n', 'bot/main.mjs': '', 'main.txt': '' },
      { command: ['make', '-s', 'agent'] },
      ['Makefile', 'bot/main.mjs'],
    ],
    [
      'a shell script that goes to another folder, with variables',
      {
        'bin/run.sh': 'cd "$(dirname "$0")/.."\ncd tools\n. $LIB/env.sh\npython main.py < $ROOT/words.txt',
        'tools/main.py': '',
        'env.sh': '',
        'words.txt': '',
      },
      { command: ['bin/run.sh'] },
      ['bin/run.sh', 'env.sh', 'tools/main.py', 'words.txt'],
    ],
    [
      'aliases of a tsconfig',
      {
        'agent.ts': "import '@/prompts/system'; import { x } from 'common/x'; import '~words';",
        'tsconfig.json': '{"extends": "./tsconfig.base.json", "compilerOptions": {"baseUrl": "src"}}',
        'tsconfig.base.json':
          '// comment\n{"compilerOptions": {"paths": {"@/*": ["./lib/*", "./*"], "~words": ["./words.ts"],}}}',
        'src/prompts/system.ts': '',
        'src/common/x.ts': '',
        'src/words.ts': '',
      },
      { command: ['tsx', 'agent.ts'] },
      ['agent.ts', 'src/common/x.ts', 'src/prompts/system.ts', 'src/words.ts'],
    ],
    [
      'the settings that decide what JSX becomes',
      {
        'agent.tsx': 'export const agent = () => <a/>;',
        'tsconfig.json': '{"extends": "./tsconfig.base.json"}',
        'tsconfig.base.json': '{"compilerOptions": {"jsx": "react", "jsxFactory": "h"}}',
      },
      { agent: 'agent.tsx' },
      ['agent.tsx', 'tsconfig.base.json', 'tsconfig.json'],
    ],
    [
      'modules of Python that are loaded by a name from elsewhere',
      {
        'agent.py': `import importlib
importlib.import_module(f"tools.{name}"); importlib.import_module("more." + name)
from plugins import run`,
        'tools/__init__.py': '',
        'tools/count.py': 'from lib.words import WORD',
        'lib/words.py': '',
        'lib/other.py': '',
        'more/add.py': '',
        'plugins/__init__.py': 'for found in pkgutil.iter_modules(__path__): load(found)',
        'plugins/one.py': '',
      },
      { agent: 'agent.py' },
      'agent.py lib/words.py more/add.py plugins/__init__.py plugins/one.py tools/__init__.py tools/count.py'.split(
        ' ',
      ),
    ],
    [
      'a command within a word of a command',
      {
        'srv/main.mjs': "import './words.mjs';",
        'srv/words.mjs': '',
        'bot/__init__.py': '',
        'bot/main.py': '',
        'tools/count.js': '',
      },
      { command: ['sh', '-c', 'cd srv && exec node main.mjs | python -m bot.main | node tools/count'] },
      ['bot/__init__.py', 'bot/main.py', 'srv/main.mjs', 'srv/words.mjs', 'tools/count.js'],
    ],
    [
      'no log of a command',
      { 'a.mjs': '', 'calls.log': '', 'bot.log': '' },
      { command: ['sh', '-c', 'node a.mjs --log bot.log >> calls.log'] },
      ['a.mjs'],
    ],
    [
      'modules in folders of PYTHONPATH',
      {
        'run.sh': 'export PYTHONPATH="more"\npython app/main.py',
        'app/main.py': 'import words, deep',
        'lib/words.py': '',
        'more/deep.py': '',
      },
      { command: ['env', 'PYTHONPATH=lib', 'sh', 'run.sh'] },
      ['app/main.py', 'lib/words.py', 'more/deep.py', 'run.sh'],
    ],
    [
      'a package whose entries are patterns',
      {
        'agent.mjs': "import 'shared/deep/a'; import '#texts/b';",
        'package.json': '{"imports": {"#texts/*": {"import": "./texts/*.mjs"}}}',
        'texts/b.mjs': '',
        'texts/c.mjs': '',
        'packages/shared/package.json': '{"name": "shared", "exports": {"./*": {"import": "./src/*.mjs"}}}',
        'packages/shared/src/deep/a.mjs': '',
        'packages/shared/src/deep/other.mjs': '',
        'node_modules/shared': '-> packages/shared',
      },
      { agent: 'agent.mjs' },
      'agent.mjs package.json packages/shared/package.json packages/shared/src/deep/a.mjs texts/b.mjs'.split(
        ' ',
      ),
    ],
    ['no file of an address', { 'agent.mjs': '' }, { agent: 'https://example.org/agent.mjs' }, []],
  ])('%s', (_what, files, target, expected) => {
    expect(names(codeOf(files, target))).toEqual(expected);
  });

  test('the config too, and what a config in code imports', () => {
    const files = {
      'assay.config.ts': `import { x } from './settings.ts';`,
      'settings.ts': '',
      'agent.mjs': '',
    };
    const found = codeOf(files, { agent: './agent.mjs' }, { config: 'assay.config.ts' });
    expect(names(found)).toEqual(['agent.mjs', 'assay.config.ts', 'settings.ts']);
  });

  test('a byte more is another hash, and what is absent is said to be', () => {
    const agent = { 'agent.mjs': `import './x.mjs'; import './gone.mjs';`, 'x.mjs': '1' };
    const before = codeOf(agent, { agent: 'agent.mjs' });
    rmSync(folder!, { recursive: true });
    const after = codeOf({ ...agent, 'x.mjs': '1 ' }, { agent: 'agent.mjs' });
    expect(after['agent.mjs']).toBe(before['agent.mjs']);
    expect(after['x.mjs']).not.toBe(before['x.mjs']);
    expect(after['gone.mjs']).toBe('absent');
  });

  test('there is an end to it', () => {
    const files = Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [`f${index}.mjs`, `import './f${index + 1}.mjs';`]),
    );
    expect(names(codeOf(files, { agent: 'f0.mjs' })).length).toBe(1000);
  });
});
