import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { expectKnown, rude, type Kind } from './edited-agents.ts';

/** Lets a link lead elsewhere. */
const relink = (link: string, to: string) => (folder: string) => {
  rmSync(join(folder, link), { force: true, recursive: true });
  symlinkSync(to, join(folder, link));
};
const linkTo = (link: string, to: string) => (folder: string) => symlinkSync(to, join(folder, link));
/** The first is the newest. */
const inOrder = (folder: string, names: readonly string[]) => {
  for (const [index, name] of names.entries()) utimesSync(join(folder, name), 9000 - index, 9000 - index);
};
const WORDS = { '1.mjs': `export const say = 'kind';`, '2.mjs': `export const say = 'rude';` };
const TWO_PACKAGES = {
  'w1/package.json': '{"main": "./i.js"}',
  'w1/i.js': `module.exports = 'kind';`,
  'w2/package.json': '{"main": "./i.js"}',
  'w2/i.js': `module.exports = 'rude';`,
  'node_modules/other/a.js': '',
};
let said = 'kind';

const IN_JAVASCRIPT: Readonly<Record<string, Kind>> = {
  'a link of an imported module': {
    files: WORDS,
    setUp: linkTo('say.mjs', '1.mjs'),
    code: `import { say } from './say.mjs'; export const agent = () => say;`,
    edit: relink('say.mjs', '2.mjs'),
  },
  'a linked folder of an imported module': {
    files: { 'v1/say.mjs': WORDS['1.mjs'], 'v2/say.mjs': WORDS['2.mjs'] },
    setUp: linkTo('now', 'v1'),
    code: `export const agent = async () => (await import('./now/say.mjs')).say;`,
    edit: relink('now', 'v2'),
  },
  'a linked package': {
    files: TWO_PACKAGES,
    setUp: linkTo('node_modules/words', '../w1'),
    code: `import say from 'words'; export const agent = () => say;`,
    edit: relink('node_modules/words', '../w2'),
  },
  'a linked package that is required': {
    agent: 'agent.cjs',
    files: TWO_PACKAGES,
    setUp: linkTo('node_modules/words', '../w1'),
    code: `exports.agent = () => require('words');`,
    edit: relink('node_modules/words', '../w2'),
  },
  'a folder that becomes a link': {
    files: { 'kb/a': '' },
    code: `import { realpathSync } from 'node:fs';
export const agent = () => (realpathSync(HERE + '/kb').endsWith('kb') ? 'kind' : 'rude');`,
    edit(folder) {
      renameSync(join(folder, 'kb'), join(folder, 'v2'));
      symlinkSync('v2', join(folder, 'kb'));
    },
  },
  'a link that leads nowhere': {
    setUp: linkTo('lock', 'kind'),
    code: `import { readlinkSync } from 'node:fs';
export const agent = () => readlinkSync(HERE + '/lock');`,
    edit: relink('lock', 'rude'),
  },
  'whether a link is there': {
    setUp: linkTo('lock', 'kind'),
    code: `import { lstatSync } from 'node:fs';
export const agent = () => (lstatSync(HERE + '/lock', { throwIfNoEntry: false }) ? 'kind' : 'rude');`,
    edit: (folder) => rmSync(join(folder, 'lock')),
  },
  'whether a file may be executed': {
    files: { 'tool.sh': '' },
    setUp: (folder) => chmodSync(join(folder, 'tool.sh'), 0o755),
    code: `import { accessSync, constants } from 'node:fs';
export const agent = () => { try { accessSync(HERE + '/tool.sh', constants.X_OK); return 'kind'; } catch { return 'rude'; } };`,
    edit: (folder) => chmodSync(join(folder, 'tool.sh'), 0o644),
  },
  'the mode of a folder': {
    files: { 'kb/a': '' },
    code: `import { statSync } from 'node:fs';
export const agent = () => (statSync(HERE + '/kb').mode & 0o2 ? 'rude' : 'kind');`,
    edit: (folder) => chmodSync(join(folder, 'kb'), 0o777),
  },
  'a package that is edited in place': {
    files: {
      'node_modules/words/package.json': '{"main": "./a/b/i.js"}',
      'node_modules/words/a/b/i.js': `module.exports = 'kind';`,
    },
    code: `import say from 'words'; export const agent = () => say;`,
    edit: (folder) => writeFileSync(join(folder, 'node_modules/words/a/b/i.js'), `module.exports = 'rude';`),
  },
  'a text of a package': {
    files: { 'node_modules/words/a/b/i.md': `kind`, 'node_modules/words/package.json': '{}' },
    code: `import { readFileSync } from 'node:fs';
export const agent = () => readFileSync(HERE + '/node_modules/words/a/b/i.md', 'utf8');`,
    edit: rude('node_modules/words/a/b/i.md'),
  },
  'a package that comes to stand before another one': {
    files: {
      'node_modules/words/i.js': `module.exports = 'kind';`,
      'node_modules/words/package.json': '{"main": "./i.js"}',
      'deep/say.mjs': `export { default } from 'words';`,
    },
    code: `import say from './deep/say.mjs'; export const agent = () => say;`,
    edit(folder) {
      mkdirSync(join(folder, 'deep/node_modules/words'), { recursive: true });
      writeFileSync(join(folder, 'deep/node_modules/words/index.js'), `module.exports = 'rude';`);
    },
  },
  'what a package says of a name that is resolved': {
    files: {
      'deep/node_modules/words/kind.js': '',
      'deep/node_modules/words/rude.js': '',
      'deep/node_modules/words/package.json': '{"main": "./kind.js"}',
      'deep/say.cjs': `exports.say = () => require.resolve('words');`,
    },
    code: `import { say } from './deep/say.cjs'; export const agent = () => say();`,
    edit: (folder) =>
      writeFileSync(join(folder, 'deep/node_modules/words/package.json'), '{"main": "./rude.js" }'),
  },
  'what a package says of an address': {
    files: {
      'deep/node_modules/words/kind.js': '',
      'deep/node_modules/words/rude.js': '',
      'deep/node_modules/words/package.json': '{"main": "./kind.js"}',
      'deep/say.mjs': `export const say = () => import.meta.resolve('words');`,
    },
    code: `import { say } from './deep/say.mjs'; export const agent = () => say();`,
    edit: (folder) =>
      writeFileSync(join(folder, 'deep/node_modules/words/package.json'), '{"main": "./rude.js" }'),
  },
  'a variable': {
    code: `export const agent = () => process.env.TEST_SAY_A ?? 'kind';`,
    variables: { TEST_SAY_A: 'rude' },
  },
  'whether a variable is set': {
    code: `export const agent = () => ('TEST_SAY_B' in process.env ? 'rude' : 'kind');`,
    variables: { TEST_SAY_B: '' },
  },
  'all variables': {
    code: `export const agent = () => Object.entries({ ...process.env }).find(([name]) => name === 'TEST_SAY_C')?.[1] ?? 'kind';`,
    variables: { TEST_SAY_C: 'rude' },
  },
  'the time zone': {
    code: `export const agent = () => (Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo' ? 'rude' : 'kind');`,
    variables: { TZ: 'Asia/Tokyo' },
  },
  'the time of an open file': {
    files: { 'a.md': 'kind' },
    setUp: (folder) => inOrder(folder, ['a.md']),
    code: `import { openSync, fstatSync } from 'node:fs';
export const agent = () => (fstatSync(openSync(HERE + '/a.md')).mtimeMs === 9e6 ? 'kind' : 'rude');`,
    edit: (folder) => utimesSync(join(folder, 'a.md'), 1, 1),
  },
  'the time of a file handle': {
    files: { 'a.md': 'kind' },
    setUp: (folder) => inOrder(folder, ['a.md']),
    code: `import { open } from 'node:fs/promises';
export async function agent() { const file = await open(HERE + '/a.md'); try { return (await file.stat()).mtimeMs === 9e6 ? 'kind' : 'rude'; } finally { await file.close(); } }`,
    edit: (folder) => utimesSync(join(folder, 'a.md'), 1, 1),
  },
  'the newest of files that it reads': {
    files: { 'a.md': 'kind', 'b.md': 'rude' },
    setUp: (folder) => inOrder(folder, ['a.md', 'b.md']),
    code: `import { readFileSync, statSync } from 'node:fs';
export const agent = () => ['a', 'b'].map((name) => ({ text: readFileSync(HERE + '/' + name + '.md', 'utf8'), at: statSync(HERE + '/' + name + '.md').mtimeMs })).sort((a, b) => b.at - a.at)[0].text;`,
    edit: (folder) => inOrder(folder, ['b.md', 'a.md']),
  },
  'a module with a query': {
    files: { 'say.mjs': `export const say = 'kind';` },
    code: `export const agent = async () => (await import('./say.mjs?x=1')).say;`,
    edit: (folder) => writeFileSync(join(folder, 'say.mjs'), `export const say = 'rude';`),
  },
  'a file of variables': {
    files: { 'own.env': 'TEST_SAY_D=kind' },
    code: `process.loadEnvFile(HERE + '/own.env'); export const agent = () => process.env.TEST_SAY_D;`,
    edit: (folder) => writeFileSync(join(folder, 'own.env'), 'TEST_SAY_D=rude'),
  },
  'what kind of thing is in a folder': {
    files: { 'kb/a': '' },
    code: `import { readdirSync } from 'node:fs';
export const agent = () => (readdirSync(HERE + '/kb', { withFileTypes: true })[0].isFile() ? 'kind' : 'rude');`,
    edit(folder) {
      rmSync(join(folder, 'kb/a'));
      mkdirSync(join(folder, 'kb/a'));
    },
  },
  'a folder that is read in parts': {
    files: { 'kb/a': '' },
    code: `import { opendir } from 'node:fs/promises';
export async function agent() { let all = 0; for await (const entry of await opendir(HERE + '/kb')) all += 1; return all === 1 ? 'kind' : 'rude'; }`,
    edit: rude('kb/b'),
  },
  'a pipe': {
    setUp: (folder) => void execFileSync('mkfifo', [join(folder, 'pipe')]),
    files: { 'a.md': 'kind' },
    code: `import { openSync, readSync, writeSync, readFileSync } from 'node:fs';
export function agent() { const pipe = openSync(HERE + '/pipe', 'r+'); writeSync(pipe, readFileSync(HERE + '/a.md')); const all = Buffer.alloc(4); readSync(pipe, all); return String(all); }`,
    edit: rude('a.md'),
    unknown: 'it reads a pipe or a socket',
  },
  'a server of this machine': {
    code: `export const agent = async () => (await fetch(process.env.TEST_SERVER)).text();`,
    edit: () => void (said = 'rude'),
    unknown: 'it calls a server of this machine',
  },
  'a server of another machine': {
    // Nobody can connect to this address.
    code: `import { get } from 'node:http'; import { readFileSync } from 'node:fs';
export const agent = () => new Promise((done) => get('http://255.255.255.255/').on('error', () => done(readFileSync(HERE + '/a.md', 'utf8'))));`,
    files: { 'a.md': 'kind' },
    edit: rude('a.md'),
  },
  'where a link leads, natively': {
    files: { 'v1/a': '', 'v2/a': '' },
    setUp: linkTo('now', 'v1'),
    code: `import { realpathSync } from 'node:fs';
export const agent = () => (realpathSync.native(HERE + '/now').endsWith('v1') ? 'kind' : 'rude');`,
    edit: relink('now', 'v2'),
  },
  'where a link leads, promised': {
    files: { 'v1.json': '', 'v2.json': '' },
    setUp: linkTo('now.json', 'v1.json'),
    code: `import { realpath } from 'node:fs/promises';
export const agent = async () => ((await realpath(HERE + '/now.json')).endsWith('v1.json') ? 'kind' : 'rude');`,
    edit: relink('now.json', 'v2.json'),
  },
  'whether a file is a link': {
    files: { 'a.json': '' },
    code: `import { lstatSync } from 'node:fs';
export const agent = () => (lstatSync(HERE + '/a.json').isSymbolicLink() ? 'rude' : 'kind');`,
    edit(folder) {
      renameSync(join(folder, 'a.json'), join(folder, 'b.json'));
      symlinkSync('b.json', join(folder, 'a.json'));
    },
  },
  'the home folder': {
    code: `import { homedir } from 'node:os';
export const agent = () => (homedir() === '/nowhere' ? 'rude' : 'kind');`,
    variables: { HOME: '/nowhere' },
  },
  'existence, promised': {
    code: `import { exists } from 'node:fs'; import { promisify } from 'node:util';
export const agent = async () => (await promisify(exists)(HERE + '/flag') ? 'rude' : 'kind');`,
    edit: rude('flag'),
  },
  'a class of streams': {
    files: { 'a.md': 'kind' },
    code: `import { ReadStream } from 'node:fs';
export async function agent() { let all = ''; for await (const part of new ReadStream(HERE + '/a.md')) all += part; return all; }`,
    edit: rude('a.md'),
  },
  'a built-in module by another way': {
    files: { 'a.md': 'kind' },
    code: `export const agent = () => process.getBuiltinModule('node:fs').readFileSync(HERE + '/a.md', 'utf8');`,
    edit: rude('a.md'),
  },
  'a path that is no text': {
    setUp: (folder) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), 'kind'),
    code: `import { readFileSync } from 'node:fs';
export const agent = () => readFileSync(Buffer.concat([Buffer.from(HERE + '/'), Buffer.from([0xff])]), 'utf8');`,
    edit: (folder) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), 'rude'),
    unknown: 'it uses a path that is not UTF-8',
  },
  'a module of TypeScript before another one': {
    agent: 'agent.ts',
    files: { 'say/index.ts': `export const say: string = 'kind';` },
    code: `import { say } from './say';
export const agent = (): string => say;`,
    edit: (folder) => writeFileSync(join(folder, 'say.ts'), `export const say: string = 'rude';`),
  },
  'what a tsconfig.json extends': {
    agent: 'agent.ts',
    files: {
      'tsconfig.json': '{"extends": "./base.json"}',
      'base.json': '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}',
      'src/say.ts': `export const say: string = 'kind';`,
      'other/say.ts': `export const say: string = 'rude';`,
    },
    code: `import { say } from '~/say';
export const agent = (): string => say;`,
    edit: (folder) =>
      writeFileSync(join(folder, 'base.json'), '{"compilerOptions": {"paths": {"~/*": ["./other/*"]}}}'),
  },
  'a TypeScript agent in a linked folder': {
    agent: 'v1/agent.ts',
    files: {
      'v1/say.ts': `export const say: string = 'kind';`,
      'v2/say.ts': `export const say: string = 'rude';`,
    },
    setUp: linkTo('now', 'v1'),
    code: `import { say } from '../now/say';
export const agent = (): string => say;`,
    edit: relink('now', 'v2'),
  },
  'a file that is read after the reply': {
    files: { 'a.md': 'kind' },
    code: `import { readFileSync } from 'node:fs';
let text;
setTimeout(() => (text = readFileSync(HERE + '/a.md', 'utf8')), 20);
export const agent = () => new Promise((done) => setTimeout(() => done(text), 200));`,
    edit: rude('a.md'),
  },
  'a module that is loaded by hand': {
    agent: 'agent.cjs',
    files: { 'say.txt': `exports.say = 'kind';` },
    code: `const { readFileSync } = require('node:fs');
require.extensions['.txt'] = (module, file) => module._compile(readFileSync(file, 'utf8'), file);
exports.agent = () => require('./say.txt').say;`,
    edit: (folder) => writeFileSync(join(folder, 'say.txt'), `exports.say = 'rude';`),
  },
  'files of a pattern elsewhere': {
    files: { 'kb/a.md': '' },
    code: `import fs from 'node:fs';
export const agent = () => (fs.globSync ? fs.globSync(HERE + '/kb/*.md').length === 1 : fs.readdirSync(HERE + '/kb').length === 1) ? 'kind' : 'rude';`,
    edit: rude('kb/b.md'),
  },
};

const COMPILES = `
#include <Python.h>
#include <stdio.h>
static PyObject *say(PyObject *self, PyObject *args) {
  const char *path; char text[100] = "";
  if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
  FILE *file = fopen(path, "r");
  if (file != NULL) { if (fgets(text, 100, file) == NULL) text[0] = 0; fclose(file); }
  return PyUnicode_FromString(text);
}
static PyMethodDef methods[] = {{"say", say, METH_VARARGS, ""}, {NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native_words", "", -1, methods};
PyMODINIT_FUNC PyInit_native_words(void) { return PyModule_Create(&module); }
`;

const IN_PYTHON: Readonly<Record<string, Kind>> = {
  'a file of a folder that is open': {
    files: { 'a.md': 'kind' },
    code: `import os
def agent(input):
    folder = os.open(HERE, os.O_RDONLY)
    file = os.open("a.md", os.O_RDONLY, dir_fd=folder)
    return os.read(file, 100).decode()`,
    edit: rude('a.md'),
  },
  'names in a folder that is open': {
    files: { 'kb/a.md': '' },
    code: `import os
def agent(input):
    return "kind" if len(os.listdir(os.open(HERE + "/kb", os.O_RDONLY))) == 1 else "rude"`,
    edit: rude('kb/b.md'),
  },
  'whether a file is in a folder that is open': {
    code: `import os
def agent(input):
    try:
        os.stat("flag", dir_fd=os.open(HERE, os.O_RDONLY))
        return "rude"
    except OSError:
        return "kind"`,
    edit: rude('flag'),
  },
  'the inner module of os': {
    code: `import posix
def agent(input):
    try:
        posix.stat(HERE + "/flag")
        return "rude"
    except OSError:
        return "kind"`,
    edit: rude('flag'),
  },
  'the newest entry of a folder': {
    files: { 'kb/kind': '', 'kb/rude': '' },
    setUp: (folder) => inOrder(folder, ['kb/kind', 'kb/rude']),
    code: `import os
def agent(input):
    return max(os.scandir(HERE + "/kb"), key=lambda each: each.stat().st_mtime).name`,
    edit: (folder) => inOrder(folder, ['kb/rude', 'kb/kind']),
  },
  'the time of an open file': {
    files: { 'a.md': '' },
    setUp: (folder) => inOrder(folder, ['a.md']),
    code: `import os
def agent(input):
    with open(HERE + "/a.md") as file:
        return "kind" if os.fstat(file.fileno()).st_mtime == 9000 else "rude"`,
    edit: (folder) => utimesSync(join(folder, 'a.md'), 1, 1),
  },
  'the newest of files that it reads': {
    files: { 'a.md': 'kind', 'b.md': 'rude' },
    setUp: (folder) => inOrder(folder, ['a.md', 'b.md']),
    code: `from pathlib import Path
def agent(input):
    return max((each.stat().st_mtime, each.read_text()) for each in Path(HERE).glob("*.md"))[1]`,
    edit: (folder) => inOrder(folder, ['b.md', 'a.md']),
  },
  'a mapped file': {
    files: { 'a.md': 'kind' },
    code: `import mmap
def agent(input):
    with open(HERE + "/a.md", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as all:
        return all[:].decode()`,
    edit: rude('a.md'),
  },
  'a linked folder': {
    files: { 'v1/a.md': '', 'v2/a.md': '' },
    setUp: linkTo('now', 'v1'),
    code: `import os
def agent(input):
    return "kind" if os.path.realpath(HERE + "/now").endswith("v1") else "rude"`,
    edit: relink('now', 'v2'),
  },
  'a linked package': {
    files: { 'v1/__init__.py': 'SAY = "kind"', 'v2/__init__.py': 'SAY = "rude"' },
    setUp: linkTo('words_now', 'v1'),
    code: `import words_now
def agent(input):
    return words_now.SAY`,
    edit: relink('words_now', 'v2'),
  },
  'whether a link is there': {
    setUp: linkTo('lock', 'kind'),
    code: `import os
def agent(input):
    return "kind" if os.path.lexists(HERE + "/lock") else "rude"`,
    edit: (folder) => rmSync(join(folder, 'lock')),
  },
  'where a link leads that leads nowhere': {
    setUp: linkTo('lock', 'kind'),
    code: `import os
def agent(input):
    return os.readlink(HERE + "/lock")`,
    edit: relink('lock', 'rude'),
  },
  'whether a file may be executed': {
    files: { 'tool.sh': '' },
    setUp: (folder) => chmodSync(join(folder, 'tool.sh'), 0o755),
    code: `import os
def agent(input):
    return "kind" if os.access(HERE + "/tool.sh", os.X_OK) else "rude"`,
    edit: (folder) => chmodSync(join(folder, 'tool.sh'), 0o644),
  },
  'what kind of thing is in a folder': {
    files: { 'kb/a': '' },
    code: `import os
def agent(input):
    return "kind" if [each.is_file() for each in os.scandir(HERE + "/kb")] == [True] else "rude"`,
    edit(folder) {
      rmSync(join(folder, 'kb/a'));
      mkdirSync(join(folder, 'kb/a'));
    },
  },
  'a package that is edited in place': {
    files: {
      'site-packages/words_f/__init__.py': '',
      'site-packages/words_f/deep/__init__.py': 'SAY = "kind"',
      'site-packages/words_f-1.0.dist-info/RECORD': '',
    },
    code: `import sys
sys.path.append(HERE + "/site-packages")
from words_f.deep import SAY
def agent(input):
    return SAY`,
    edit: (folder) =>
      writeFileSync(join(folder, 'site-packages/words_f/deep/__init__.py'), 'SAY = "rude and more"'),
  },
  'a text of a package': {
    files: { 'site-packages/words_g/__init__.py': '', 'site-packages/words_g/say.txt': 'kind' },
    code: `import sys
sys.path.append(HERE + "/site-packages")
import importlib.resources
def agent(input):
    return importlib.resources.files("words_g").joinpath("say.txt").read_text()`,
    edit: rude('site-packages/words_g/say.txt'),
  },
  'the version of a package': {
    files: { 'site-packages/words_h-1.0.dist-info/METADATA': 'Name: words_h\nVersion: 1.0\n' },
    code: `import sys
sys.path.append(HERE + "/site-packages")
import importlib.metadata
def agent(input):
    return "kind" if importlib.metadata.version("words_h") == "1.0" else "rude"`,
    edit: (folder) =>
      writeFileSync(
        join(folder, 'site-packages/words_h-1.0.dist-info/METADATA'),
        'Name: words_h\nVersion: 2.0\n',
      ),
  },
  'a folder that a .pth file names': {
    files: {
      'site-packages/own.pth': '../one\n',
      'one/words_i.py': 'SAY = "kind"',
      'two/words_i.py': 'SAY = "rude"',
    },
    code: `import site
site.addsitedir(HERE + "/site-packages")
import words_i
def agent(input):
    return words_i.SAY`,
    edit: (folder) => writeFileSync(join(folder, 'site-packages/own.pth'), '../two\n'),
  },
  'a module that comes to stand before one of Python': {
    code: `import colorsys
def agent(input):
    return getattr(colorsys, "SAY", "kind")`,
    edit: (folder) => writeFileSync(join(folder, 'colorsys.py'), 'SAY = "rude"'),
  },
  'a package that comes to stand before a module of it': {
    files: { 'words_k/__init__.py': '', 'words_k/say.py': 'SAY = "kind"' },
    code: `from words_k.say import SAY
def agent(input):
    return SAY`,
    edit(folder) {
      mkdirSync(join(folder, 'words_k/say'));
      writeFileSync(join(folder, 'words_k/say/__init__.py'), 'SAY = "rude"');
    },
  },
  'a variable': {
    code: `import os
def agent(input):
    return os.environ.get("TEST_SAY_E", "kind")`,
    variables: { TEST_SAY_E: 'rude' },
  },
  'all variables': {
    code: `import os
def agent(input):
    return {key.lower(): value for key, value in os.environ.items()}.get("test_say_f", "kind")`,
    variables: { TEST_SAY_F: 'rude' },
  },
  'a variable of bytes': {
    code: `import os
def agent(input):
    return os.environb.get(b"TEST_SAY_G", b"kind").decode()`,
    variables: { TEST_SAY_G: 'rude' },
  },
  'the time zone': {
    code: `import time
def agent(input):
    return "rude" if time.tzname[0] == "JST" else "kind"`,
    variables: { TZ: 'Asia/Tokyo' },
  },
  'where Python looks for modules': {
    files: { 'lib/words_l.py': 'SAY = "rude"' },
    code: `import sys
def agent(input):
    return "rude" if any(each.endswith("/test-say-h") for each in sys.path) else "kind"`,
    variables: { PYTHONPATH: '/tmp/test-say-h' },
  },
  'native code': {
    setUp(folder) {
      writeFileSync(join(folder, 'words.c'), COMPILES);
      writeFileSync(join(folder, 'a.md'), 'kind');
      const say = (name: string) =>
        execFileSync('python3', ['-c', `import sysconfig; print(sysconfig.get_${name})`], {
          encoding: 'utf8',
        }).trim();
      const flags = [
        '-shared',
        '-fPIC',
        `-I${say("path('include')")}`,
        'words.c',
        '-o',
        `native_words${say("config_var('EXT_SUFFIX')")}`,
      ];
      execFileSync('cc', flags, { cwd: folder });
    },
    code: `import native_words
def agent(input):
    return native_words.say(HERE + "/a.md")`,
    edit: rude('a.md'),
    unknown: 'it loads native code, native_words',
  },
  'functions of C': {
    files: { 'a.md': 'kind' },
    code: `import ctypes
def agent(input):
    c = ctypes.CDLL(None)
    text = ctypes.create_string_buffer(100)
    file = c.open((HERE + "/a.md").encode(), 0)
    c.read(file, text, 100)
    return text.value.decode()`,
    edit: rude('a.md'),
    unknown: 'it calls functions of C',
  },
  'a process that it starts anew': {
    files: { 'a.md': 'kind', 'reads_m.py': 'def read(path):\n    return open(path).read()' },
    code: `import multiprocessing, reads_m
def agent(input):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(reads_m.read, (HERE + "/a.md",))`,
    edit: rude('a.md'),
    unknown: 'it starts the program python',
  },
  'a pipe': {
    files: { 'a.md': 'kind' },
    setUp: (folder) => void execFileSync('mkfifo', [join(folder, 'pipe')]),
    code: `import os
def agent(input):
    pipe = os.open(HERE + "/pipe", os.O_RDWR)
    os.write(pipe, open(HERE + "/a.md", "rb").read())
    return os.read(pipe, 4).decode()`,
    edit: rude('a.md'),
    unknown: 'it reads a pipe or a socket',
  },
  'sizes in a listing by a package': {
    files: {
      'lib/site-packages/sizes_k.py':
        'import os\ndef total(path):\n    return sum(each.stat().st_size for each in os.scandir(path))\n',
      'kb/a.md': 'kind',
    },
    code: `import sys
sys.path.insert(0, HERE + "/lib/site-packages")
import sizes_k
def agent(input):
    return "kind" if sizes_k.total(HERE + "/kb") == 4 else "rude"`,
    edit: (folder) => writeFileSync(join(folder, 'kb/a.md'), 'rude and more'),
  },
  'a server of this machine': {
    code: `import os, urllib.request
def agent(input):
    return urllib.request.urlopen(os.environ["TEST_SERVER"]).read().decode()`,
    edit: () => void (said = 'rude'),
    unknown: 'it calls a server of this machine',
  },
  'a folder that it removes': {
    files: { 'a.md': 'kind' },
    code: `import os, tempfile
def agent(input):
    with tempfile.TemporaryDirectory() as folder:
        open(folder + "/a.md", "w").close()
    os.chdir(HERE)
    return open("a.md").read()`,
    edit: rude('a.md'),
  },
  'an archive of modules': {
    setUp: (folder) => zip(folder, 'SAY = "kind"'),
    code: `import sys
sys.path.insert(0, HERE + "/lib.zip")
import words_n
def agent(input):
    return words_n.SAY`,
    edit: (folder) => zip(folder, 'SAY = "rude and more"'),
  },
  'a line of its own code': {
    files: { 'a.md': 'kind' },
    code: `import fileinput
def agent(input):
    with fileinput.input(files=(HERE + "/a.md",)) as lines:
        return "".join(lines)`,
    edit: rude('a.md'),
  },
};
const ZIP = 'import sys, zipfile; zipfile.ZipFile("lib.zip", "w").writestr("words_n.py", sys.argv[1])';
function zip(folder: string, text: string): void {
  execFileSync('python3', ['-c', ZIP, text], { cwd: folder });
}

test.each([
  ['JavaScript', 'agent.mjs', IN_JAVASCRIPT],
  ['Python', 'agent.py', IN_PYTHON],
] as const)(
  '%s: what an agent uses without opening a file is known too, or the agent is called',
  async (_, usual, kinds) => {
    said = 'kind';
    const server = createServer((_request, answer) => answer.end(said));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    try {
      await expectKnown(usual, kinds, { TEST_SERVER: `http://127.0.0.1:${port}/` });
    } finally {
      server.close();
    }
  },
  120_000,
);

test('an agent that works in another folder is called', async () => {
  const { path, remove } = createProject({
    'agent.mjs': `import { existsSync } from 'node:fs';
export const agent = () => (existsSync('sub') ? 'kind' : 'rude');`,
    'sub/a.test.yaml': '- {input: hi, assert: {output.includes: kind}}\n',
    'assay.config.yaml': 'agent: ./agent.mjs\n',
  });
  try {
    const args = ['run', '--changed', join(path, 'sub/a.test.yaml')];
    expect((await runCli(args, { cwd: path })).stdout).toContain('1 passed');
    expect((await runCli(args, { cwd: join(path, 'sub') })).stdout).toContain('1 failed');
  } finally {
    remove();
  }
});
