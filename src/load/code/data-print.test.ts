import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { printCode } from './code-print.ts';
import { filesOfDeclared, printNamedData, type DataPrint } from './data-print.ts';

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The data of an agent with these files; the first is the agent. */
function dataOf(files: Readonly<Record<string, string>>, settings: readonly string[] = []): DataPrint {
  root = mkdtempSync(join(tmpdir(), 'assay-data-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const place = { projectRoot: root, folders: [root] };
  return printNamedData(printCode([join(root, Object.keys(files)[0]!)], place), {
    ...place,
    settings,
    suites: [join(root, 'tests/checks.yaml')],
  });
}

const PROMPTS = {
  'prompts/system.md': 'a',
  'prompts/deep/intro-en.md': 'b',
  'src/prompts/own.txt': 'c',
  'src/beside.md': 'd',
  'other/unused.md': 'e',
};

const ALL_PROMPTS = ['prompts/deep/intro-en.md', 'prompts/system.md'];

test.each([
  ['readFileSync("prompts/system.md")', ['prompts/system.md']],
  ["readFileSync('./prompts/system.md', 'utf8')", ['prompts/system.md']],
  ["new URL('../prompts/system.md', import.meta.url)", ['prompts/system.md']],
  ["new URL('beside.md', import.meta.url)", ['src/beside.md']],
  ["join(import.meta.dirname, 'prompts', 'own.txt')", [...ALL_PROMPTS, 'src/prompts/own.txt']],
  ["join(root, 'prompts', 'deep', `intro-${language}.md`)", [...ALL_PROMPTS, 'src/prompts/own.txt']],
  ['readFileSync(`prompts/deep/intro-${language}.md`)', ['prompts/deep/intro-en.md']],
  ['readFileSync(`${here}/beside.md`)', ['src/beside.md']],
  ["glob('prompts/*.md')", [...ALL_PROMPTS, 'src/prompts/own.txt']],
  ["read('prompts/' + name + '.md')", [...ALL_PROMPTS, 'src/prompts/own.txt']],
  ["const dir = path.resolve(\n  'other',\n)", ['other/unused.md']],
  ["const folder = 'other';", ['other/unused.md']],
  ["// It's the user's prompt: 'prompts/system.md'", ['prompts/system.md']],
  ["execSync('cat prompts/system.md | wc')", ['prompts/system.md']],
  ["import.meta.filename.replace('.mjs', '.md')", ['src/agent.md']],
  ["const role = 'other';", []],
  ["const system = 'Never mention prompts/system.md';", []],
  ["fetch('https://example.com/prompts/system.md')", []],
  ["readFileSync('prompts/none.md')", []],
  ["readdirSync('.'); readdirSync('..'); readdirSync('/')", []],
])('JavaScript names %s', (code, wanted) => {
  const data = dataOf({ 'src/agent.mjs': code, 'src/agent.md': '', ...PROMPTS });
  expect([...data.keys()].toSorted()).toEqual(wanted);
});

test.each([
  ['open("prompts/system.md").read()', 'prompts/system.md'],
  ['Path(__file__).parent / "prompts" / "own.txt"', 'src/prompts/own.txt'],
  ['Path(__file__).with_name("beside.md").read_text()', 'src/beside.md'],
  ['os.path.join(ROOT, "prompts", f"{name}.md")', 'prompts/system.md'],
  ['open(f"prompts/deep/intro-{lang}.md")', 'prompts/deep/intro-en.md'],
  ['open("prompts/%s.md" % name)', 'prompts/system.md'],
])('Python names %s', (code, wanted) => {
  expect([...dataOf({ 'src/agent.py': code, ...PROMPTS }).keys()]).toContain(wanted);
});

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'a package inside of the project',
    {
      'packages/bot/src/lib/agent.ts': "readFile(resolve(root, 'texts/a.md'))",
      'packages/bot/texts/a.md': '',
    },
    ['packages/bot/texts/a.md'],
  ],
  [
    'a folder that another file names, and a file in it',
    {
      'src/agent.mjs': "import { BASE } from './settings.mjs'; readFileSync(join(BASE, 'unused.md'))",
      'src/settings.mjs': "export const BASE = 'other';",
    },
    ['other/unused.md'],
  ],
  [
    'a folder that another file names, and a kind of file',
    {
      'src/agent.mjs': "import { BASE } from './settings.mjs'; readFileSync(`${BASE}/${name}.md`)",
      'src/settings.mjs': "export const BASE = 'other';",
    },
    ['other/unused.md'],
  ],
  [
    'many arguments, each on a line',
    {
      'src/agent.mjs': "join(\n  a,\n  b,\n  c,\n  'other',\n  name,\n  'unused.md',\n)",
    },
    ['other/unused.md'],
  ],
  [
    'its own folder, listed',
    {
      'src/agent.mjs': "readdirSync(import.meta.dirname).filter((name) => name.endsWith('.md'))",
    },
    ['src/beside.md'],
  ],
  ['a glob in its own folder', { 'src/agent.py': 'Path(__file__).parent.glob("*.md")' }, ['src/beside.md']],
  [
    'a package of Python, by its dotted name',
    {
      'src/agent.py': 'resources.files("bot.texts").joinpath("a.txt")',
      'bot/texts/a.txt': '',
    },
    ['bot/texts/a.txt'],
  ],
  [
    'a manifest of JSON that lists files',
    {
      'src/agent.mjs': "JSON.parse(readFileSync('manifest.json'))",
      'manifest.json': '{"parts": ["other/unused.md"]}',
    },
    ['manifest.json', 'other/unused.md'],
  ],
  [
    'a manifest that is imported, and its folder',
    {
      'src/agent.mjs': "import list from '../conf/list.json'",
      'conf/list.json': '{"folder": "texts"}',
      'conf/texts/a.md': '',
    },
    ['conf/list.json', 'conf/texts/a.md'],
  ],
  [
    'a manifest of YAML without quotes',
    {
      'src/agent.py': 'yaml.safe_load(open("conf.yaml"))',
      'conf.yaml': 'system: other/unused.md\nmodel: gpt-5.1\n',
    },
    ['conf.yaml', 'other/unused.md'],
  ],
  [
    'a manifest of TOML that names a manifest',
    {
      'src/agent.py': 'tomllib.load(open("a.toml"))',
      'a.toml': 'next = "b.yml"',
      'b.yml': '- prompts/system.md',
    },
    ['a.toml', 'b.yml', 'prompts/system.md'],
  ],
  [
    'a template that includes another',
    {
      'src/agent.py': 'env.get_template("main.j2")',
      'src/main.j2': '{% include "part.j2" %} see other/unused.md',
      'src/part.j2': '',
    },
    ['src/main.j2', 'src/part.j2'],
  ],
  [
    'a partial without its extension',
    {
      'src/agent.mjs': "render('main.hbs')",
      'src/main.hbs': '{{> header}}',
      'src/header.hbs': '',
    },
    ['src/header.hbs', 'src/main.hbs'],
  ],
  [
    'a shell script, without quotes',
    {
      'src/run.sh': 'cat "$HERE"/prompts/*.md $DIR/other/unused.md',
      'src/code.mjs': '',
    },
    ['other/unused.md', 'prompts/deep/intro-en.md', 'prompts/system.md', 'src/prompts/own.txt'],
  ],
  [
    'tools that are loaded from a folder, with what they load and read',
    {
      'src/agent.mjs':
        "import './tools/base.mjs'; for (const name of readdirSync(join(here, 'tools'))) await import(join(here, 'tools', name))",
      'src/tools/base.mjs': '',
      'src/tools/more.mjs': "import '../../lib/deep.mjs';",
      'lib/deep.mjs': "readFileSync('other/unused.md')",
    },
    ['lib/deep.mjs', 'other/unused.md', 'src/tools/more.mjs'],
  ],
])('names that are put together: %s', (_what, files, wanted) => {
  expect([...dataOf({ ...files, ...PROMPTS }).keys()].toSorted()).toEqual(wanted);
});

test('a command and a variable of the settings name files too', () => {
  const files = {
    'agent.mjs': "readFileSync(join(process.env.BASE, 'unused.md'))",
    ...PROMPTS,
  };
  expect([...dataOf(files, ['sh', '-c', 'cat prompts/deep/*.md | node agent.mjs']).keys()]).toEqual([
    'prompts/deep/intro-en.md',
  ]);
  rmSync(root, { recursive: true });
  expect([...dataOf(files, ['other']).keys()]).toEqual(['other/unused.md']);
});

test('logs, databases and the like in a folder do not count, and neither does what a text only mentions', () => {
  const data = dataOf({
    'agent.mjs': "readdir('state'); readFileSync('notes.md')",
    'state/agent.log': '',
    'state/store.db': '',
    'state/store.db-wal': '',
    'state/app.sqlite3-journal': '',
    'state/run.pid': '',
    'state/words.txt': '',
    'notes.md': 'Nobody reads prompts/system.md or README.md.',
    'README.md': '',
    ...PROMPTS,
  });
  expect([...data.keys()].toSorted()).toEqual(['notes.md', 'state/words.txt']);
});

test('names in a file that the agent loads count, and so do the settings of the agent', () => {
  const data = dataOf(
    {
      'agent.mjs': "import './src/load.mjs';",
      'src/load.mjs': "readFileSync('prompts/system.md')",
      ...PROMPTS,
    },
    ['gpt-5', 'src/beside.md', 'prompts'],
  );
  expect([...data.keys()].toSorted()).toEqual(['prompts/system.md', 'src/beside.md']);
});

test('a suite of any name does not count', () => {
  const data = dataOf({ 'agent.mjs': "readdir('tests')", 'tests/checks.yaml': '', 'tests/words.txt': '' });
  expect([...data.keys()]).toEqual(['tests/words.txt']);
});

test('suites, code of the agent, private files, packages and large stores do not count', () => {
  const store = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`store/${index}.txt`, '']));
  const data = dataOf({
    'agent.mjs':
      "import './lib/tool.mjs'; read('tests/a.test.yaml', 'tests', './lib', '.env', 'node_modules/x/a.md', 'store')",
    'lib/tool.mjs': '',
    'lib/other.mjs': '',
    'lib/words.txt': '',
    'tests/a.test.yaml': '',
    'tests/rows.csv': '',
    'tests/.hidden': '',
    '.env': 'KEY=1',
    'node_modules/x/a.md': '',
    ...store,
  });
  expect([...data.keys()].toSorted()).toEqual(['lib/words.txt', 'tests/rows.csv']);
});

test.each([
  ["appendFileSync('log.txt', line)", true],
  ["const LOG = 'log.txt';\nfs.promises.appendFile(LOG, line)", true],
  ['with open("log.txt", "a") as log:', true],
  ['LOG = Path("log.txt")\nLOG.write_text(line)', true],
  ["const LOG = 'log.txt';\nreadFileSync(LOG)", false],
  ["readFileSync('log.txt')", false],
  ['open("log.txt", "rb")', false],
  ["import { write } from './log.txt'", false],
  ['echo hi >> log.txt', true],
  ['node x.mjs | tee -a "$HERE"/log.txt', true],
  ['cat log.txt > /dev/null', false],
])('whether code writes there: %s', (code, isWritten) => {
  const data = dataOf({
    [/with|Path/.test(code) ? 'a.py' : /^(?:echo|node|cat)/.test(code) ? 'a.sh' : 'a.mjs']: code,
    'log.txt': '',
  });
  expect(data.get('log.txt')).toMatchObject({ place: 'log.txt', isWritten });
});

test('code that loads each other is looked at once, and folders that cannot be read are left out', () => {
  const names = Array.from({ length: 40 }, (_, index) => `tools/t${index}.mjs`);
  const tools = Object.fromEntries(
    names.map((name, index) => [
      name,
      `import './t${(index + 1) % names.length}.mjs'; read('words/w${index}.txt');`,
    ]),
  );
  const words = Object.fromEntries(names.map((_, index) => [`words/w${index}.txt`, '']));
  const data = dataOf({ 'agent.mjs': "load('tools')", ...tools, ...words });
  expect([...data.keys()].toSorted()).toEqual([...names, ...Object.keys(words)].toSorted());
});

test.each([
  'null',
  '{"compilerOptions": null}',
  '{"compilerOptions": {"paths": {"@/*": "src/*"}, "baseUrl": 7}}',
  '{"extends": [null]}',
  '{',
])('a tsconfig of %s stops nothing', (config) => {
  const data = dataOf({
    'agent.ts': "import '@/x'; read('a.md')",
    'tsconfig.json': config,
    'a.md': '',
    'src/x.ts': '',
  });
  expect([...data.keys()]).toContain('a.md');
});

test('a declared folder counts with its links', () => {
  const project = {
    'agent.mjs': '',
    'prompts/own.md': '',
    'elsewhere/linked.md': '',
    'elsewhere/deep/far.md': '',
  };
  dataOf(project);
  symlinkSync(join(root, 'elsewhere/linked.md'), join(root, 'prompts/linked.md'));
  symlinkSync(join(root, 'elsewhere/deep'), join(root, 'prompts/deep'));
  symlinkSync(root, join(root, 'prompts/loop'));
  const files = filesOfDeclared(join(root, 'prompts'))!.map((path) => relative(root, path));
  expect(files.toSorted()).toEqual(['prompts/deep/far.md', 'prompts/linked.md', 'prompts/own.md']);
});

test('a file that is named like a suite belongs to an agent only if it is declared', () => {
  const project = { 'agent.mjs': "read('rules.test.yaml')", 'rules.test.yaml': '', 'other.test.yaml': '' };
  expect([...dataOf(project).keys()]).toEqual([]);
  const place = { projectRoot: root, folders: [root], declared: [join(root, 'rules.test.yaml')] };
  expect([...printNamedData(printCode([join(root, 'agent.mjs')], place), place).keys()]).toEqual([
    'rules.test.yaml',
  ]);
});
