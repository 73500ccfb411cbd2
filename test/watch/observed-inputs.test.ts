import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { expectKnown, rude, type Kind } from './edited-agents.ts';

const IN_SQLITE = `
import sqlite3, sys
connection = sqlite3.connect("kb.db")
connection.executescript(sys.argv[1])
connection.commit()`;
const inSqlite = (folder: string, script: string) =>
  execFileSync('python3', ['-c', IN_SQLITE, script], { cwd: folder });

const WASM = Buffer.from('0061736d010000000606017f0041010b07050101760300', 'hex');
const READS_WASM = `
import { readFile } from 'node:fs/promises';
export async function agent() {
  const { instance } = await WebAssembly.instantiate(await readFile(HERE + '/v.wasm'));
  return instance.exports.v.value === 1 ? 'kind' : 'rude';
}`;

const IN_JAVASCRIPT: Readonly<Record<string, Kind>> = {
  'a folder that a variable names': {
    files: { 'kb/en.md': 'kind' },
    code: `import { readFileSync } from 'node:fs';
process.env.KB = HERE + '/kb';
export const agent = () => readFileSync(process.env.KB + '/en.md', 'utf8');`,
    edit: rude('kb/en.md'),
  },
  'node:fs/promises': {
    files: { 'a.md': 'kind' },
    code: `import { open } from 'node:fs/promises';
export async function agent() { const file = await open(HERE + '/a.md'); try { return await file.readFile('utf8'); } finally { await file.close(); } }`,
    edit: rude('a.md'),
  },
  'a stream': {
    files: { 'a.md': 'kind' },
    code: `import fs from 'node:fs';
export async function agent() { let all = ''; for await (const part of fs.createReadStream(HERE + '/a.md', 'utf8')) all += part; return all; }`,
    edit: rude('a.md'),
  },
  'a descriptor': {
    files: { 'a.md': 'kind' },
    code: `import { openSync, readFileSync, closeSync } from 'node:fs';
export function agent() { const file = openSync(HERE + '/a.md', 'r'); try { return readFileSync(file, 'utf8'); } finally { closeSync(file); } }`,
    edit: rude('a.md'),
  },
  'what is in a folder': {
    files: { 'kb/a.md': '' },
    code: `import { readdirSync } from 'node:fs';
export const agent = () => (readdirSync(HERE + '/kb').length === 1 ? 'kind' : 'rude');`,
    edit: rude('kb/b.md'),
  },
  'what is below a folder': {
    files: { 'kb/deep/a.md': '' },
    code: `import { readdir } from 'node:fs';
export const agent = () => new Promise((done) => readdir(HERE + '/kb', { recursive: true }, (_, names) => done(names.length === 2 ? 'kind' : 'rude')));`,
    edit: rude('kb/deep/b.md'),
  },
  'a link': {
    files: { 'kb/1.md': 'kind', 'kb/2.md': 'rude' },
    setUp: (folder) => symlinkSync('1.md', join(folder, 'kb/now.md')),
    code: `import { readFileSync } from 'node:fs';
export const agent = () => readFileSync(HERE + '/kb/now.md', 'utf8');`,
    edit(folder) {
      rmSync(join(folder, 'kb/now.md'));
      symlinkSync('2.md', join(folder, 'kb/now.md'));
    },
  },
  'an agent that is a link': {
    files: { 'two.mjs': `export const agent = () => 'rude';` },
    code: `export const agent = () => 'kind';`,
    setUp(folder) {
      renameSync(join(folder, 'agent.mjs'), join(folder, 'one.mjs'));
      symlinkSync('one.mjs', join(folder, 'agent.mjs'));
    },
    edit(folder) {
      rmSync(join(folder, 'agent.mjs'));
      symlinkSync('two.mjs', join(folder, 'agent.mjs'));
    },
  },
  'a link to a folder': {
    files: { 'kb/1/a.md': 'kind', 'kb/2/a.md': 'rude' },
    setUp: (folder) => symlinkSync('1', join(folder, 'kb/now')),
    code: `import { realpathSync } from 'node:fs';
export const agent = () => (realpathSync(HERE + '/kb/now').endsWith('1') ? 'kind' : 'rude');`,
    edit(folder) {
      rmSync(join(folder, 'kb/now'));
      symlinkSync('2', join(folder, 'kb/now'));
    },
  },
  'a module of a name that is put together': {
    files: { 'parts/say-hello.mjs': `export const say = 'kind';` },
    code: `export const agent = async () => (await import('./parts/' + ['say', 'hello'].join('-') + '.mjs')).say;`,
    edit: (folder) => writeFileSync(join(folder, 'parts/say-hello.mjs'), `export const say = 'rude';`),
  },
  createRequire: {
    files: {
      'say.cjs': `exports.say = require('./word').word;`,
      'word/index.js': `exports.word = 'kind';`,
      'word/package.json': '{"type": "commonjs"}',
    },
    code: `import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
export const agent = () => load('./say.cjs').say;`,
    edit: (folder) => writeFileSync(join(folder, 'word/index.js'), `exports.word = 'rude';`),
  },
  'a JSON module': {
    files: { 'a.json': '{"say": "kind"}' },
    code: `import data from './a.json' with { type: 'json' };
export const agent = () => data.say;`,
    edit: (folder) => writeFileSync(join(folder, 'a.json'), '{"say": "rude"}'),
  },
  'an alias of a tsconfig.json': {
    agent: 'agent.ts',
    files: {
      'tsconfig.json': '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}',
      'src/say.ts': `export const say: string = 'kind';`,
      'other/say.ts': `export const say: string = 'rude';`,
    },
    code: `import { say } from '~/say';
export const agent = (): string => say;`,
    edit: (folder) =>
      writeFileSync(join(folder, 'tsconfig.json'), '{"compilerOptions": {"paths": {"~/*": ["./other/*"]}}}'),
  },
  'a file that did not exist': {
    code: `import { existsSync } from 'node:fs';
export const agent = () => (existsSync(HERE + '/flag') ? 'rude' : 'kind');`,
    edit: rude('flag'),
  },
  'a module that did not exist': {
    code: `const say = await import('./say.mjs').then((found) => found.say, () => 'kind');
export const agent = () => say;`,
    edit: (folder) => writeFileSync(join(folder, 'say.mjs'), `export const say = 'rude';`),
  },
  'a required module that did not exist': {
    agent: 'agent.cjs',
    code: `exports.agent = () => { try { return require('./say').say; } catch { return 'kind'; } };`,
    edit: (folder) => writeFileSync(join(folder, 'say.js'), `exports.say = 'rude';`),
  },
  'a module before another one': {
    agent: 'agent.cjs',
    files: { 'say/index.js': `exports.say = 'kind';` },
    code: `const { say } = require('./say');
exports.agent = () => say;`,
    edit: (folder) => writeFileSync(join(folder, 'say.js'), `exports.say = 'rude';`),
  },
  'what a package.json makes of a name': {
    files: {
      'package.json': '{"imports": {"#say": "./kind.mjs"}}',
      'kind.mjs': `export const say = 'kind';`,
      'rude.mjs': `export const say = 'rude';`,
    },
    code: `import { say } from '#say';
export const agent = () => say;`,
    edit: (folder) => writeFileSync(join(folder, 'package.json'), '{"imports": {"#say": "./rude.mjs"}}'),
  },
  'a package below the config': {
    files: {
      'node_modules/words/package.json': '{"version": "1.0.0", "main": "words.js"}',
      'node_modules/words/words.js': `module.exports = 'kind';`,
    },
    code: `import say from 'words';
export const agent = () => say;`,
    edit(folder) {
      const place = join(folder, 'node_modules/words');
      writeFileSync(join(place, 'package.json'), '{"version": "2.0.0", "main": "words.js"}');
      writeFileSync(join(place, 'words.js'), `module.exports = 'rude';`);
    },
  },
  'a file of a linked package': {
    files: { 'words/package.json': '{}', 'words/texts/deep/a.md': 'kind', 'node_modules/other/a.js': '' },
    setUp: (folder) => symlinkSync('../words', join(folder, 'node_modules/words')),
    code: `import { readFileSync } from 'node:fs';
export const agent = () => readFileSync(HERE + '/node_modules/words/texts/deep/a.md', 'utf8');`,
    edit: rude('words/texts/deep/a.md'),
  },
  'the newest file': {
    files: { 'kb/a.md': 'kind', 'kb/b.md': 'rude' },
    setUp(folder) {
      utimesSync(join(folder, 'kb/a.md'), 2000, 2000);
      utimesSync(join(folder, 'kb/b.md'), 1000, 1000);
    },
    code: `import { readdirSync, readFileSync, statSync } from 'node:fs';
const time = (name) => statSync(HERE + '/kb/' + name).mtimeMs;
export const agent = () => readFileSync(HERE + '/kb/' + readdirSync(HERE + '/kb').sort((a, b) => time(b) - time(a))[0], 'utf8');`,
    edit: (folder) => utimesSync(join(folder, 'kb/b.md'), 3000, 3000),
  },
  'a path of bytes': {
    files: { 'a.md': 'kind' },
    code: `import { readFileSync } from 'node:fs';
export const agent = () => readFileSync(new TextEncoder().encode(HERE + '/a.md'), 'utf8');`,
    edit: rude('a.md'),
  },
  'the size of a file': {
    files: { 'a.md': 'kind' },
    code: `import { statSync } from 'node:fs';
export const agent = () => (statSync(HERE + '/a.md').size === 4 ? 'kind' : 'rude');`,
    edit: (folder) => appendFileSync(join(folder, 'a.md'), 'er'),
  },
  WebAssembly: {
    code: READS_WASM,
    setUp: (folder) => writeFileSync(join(folder, 'v.wasm'), WASM),
    edit: (folder) =>
      writeFileSync(
        join(folder, 'v.wasm'),
        WASM.map((byte, index) => (index === 14 ? 2 : byte)),
      ),
  },
  'templates that include others': {
    files: { 'views/page.html': '<{part}>', 'views/part.html': 'kind' },
    code: `import { readFile } from 'node:fs';
const read = (name) => new Promise((done, fail) => readFile(HERE + '/views/' + name + '.html', 'utf8', (error, text) => (error ? fail(error) : done(text))));
const render = async (name) => { const text = await read(name); const [, part] = /{(.+)}/.exec(text) ?? []; return part ? text.replace('{' + part + '}', await render(part)) : text; };
export const agent = () => render('page');`,
    edit: rude('views/part.html'),
  },
  'a file that it moves away and back': {
    files: { 'a.md': 'kind' },
    code: `import { copyFileSync, readFileSync, rmSync } from 'node:fs';
export function agent() { copyFileSync(HERE + '/a.md', HERE + '/b.md'); const text = readFileSync(HERE + '/b.md', 'utf8'); rmSync(HERE + '/b.md'); return text; }`,
    edit: rude('a.md'),
  },
  'a file that it writes too': {
    files: { 'memory.json': '"kind"' },
    code: `import { readFileSync, writeFileSync } from 'node:fs';
export function agent() { const text = JSON.parse(readFileSync(HERE + '/memory.json', 'utf8')); writeFileSync(HERE + '/memory.json', JSON.stringify(text)); return text; }`,
    edit: (folder) => writeFileSync(join(folder, 'memory.json'), '"rude"'),
  },
  'a file that is replaced': {
    files: { 'a.md': 'kind', 'b.md': 'rude' },
    code: `import { readFileSync } from 'node:fs';
export const agent = () => readFileSync(new URL('a.md', import.meta.url), 'utf8');`,
    edit: (folder) => renameSync(join(folder, 'b.md'), join(folder, 'a.md')),
  },
  'a program': {
    files: { 'a.md': 'kind' },
    code: `import { execFileSync } from 'node:child_process';
export const agent = () => execFileSync('cat', [HERE + '/a.md'], { encoding: 'utf8' });`,
    edit: rude('a.md'),
    unknown: 'it starts the program cat',
  },
  'a line of a shell': {
    files: { 'a.md': 'kind' },
    code: `import { execSync } from 'node:child_process';
export const agent = () => execSync('uname && cat ' + HERE + '/a.md', { encoding: 'utf8' });`,
    edit: rude('a.md'),
    unknown: 'it starts the program uname',
  },
  'inner parts of Node': {
    files: { 'a.md': 'kind' },
    code: `import { readFileSync } from 'node:fs';
process.binding('fs');
export const agent = () => readFileSync(HERE + '/a.md', 'utf8');`,
    edit: rude('a.md'),
    unknown: "it uses process.binding('fs')",
  },
  'a shell': {
    files: { 'a.md': 'kind' },
    code: `import { exec } from 'node:child_process';
export const agent = () => new Promise((done) => exec('cat ' + HERE + '/a.md', (_, text) => done(text)));`,
    edit: rude('a.md'),
    unknown: 'it starts the program sh',
  },
  'module hooks': {
    files: {
      'a.md': 'kind',
      'hooks.mjs': `import { readFileSync } from 'node:fs';
export const load = (url, context, next) => url.endsWith('say:it') ? { format: 'module', shortCircuit: true, source: 'export const say = ' + JSON.stringify(readFileSync(new URL('a.md', import.meta.url), 'utf8')) } : next(url, context);
export const resolve = (name, context, next) => name === 'say:it' ? { url: 'say:it', shortCircuit: true } : next(name, context);`,
    },
    code: `import { register } from 'node:module';
register('./hooks.mjs', import.meta.url);
export const agent = async () => (await import('say:it')).say;`,
    edit: rude('a.md'),
    unknown: 'it registers module hooks',
  },
  'a worker thread': {
    files: {
      'a.md': 'kind',
      'worker.mjs': `import { parentPort, workerData } from 'node:worker_threads';
import { readFileSync } from 'node:fs';
parentPort.postMessage(readFileSync(workerData, 'utf8'));`,
    },
    code: `import { Worker } from 'node:worker_threads';
export const agent = () => new Promise((done) => new Worker(new URL('worker.mjs', import.meta.url), { workerData: HERE + '/a.md' }).once('message', done));`,
    edit: rude('a.md'),
    unknown: 'it starts a worker thread',
  },
};

const IN_PYTHON: Readonly<Record<string, Kind>> = {
  'a folder that a variable names': {
    files: { 'kb/en.md': 'kind' },
    code: `import os
os.environ["KB"] = HERE + "/kb"
def agent(input):
    return open(os.environ["KB"] + "/en.md").read()`,
    edit: rude('kb/en.md'),
  },
  pathlib: {
    files: { 'a.md': 'kind' },
    code: `from pathlib import Path
def agent(input):
    return (Path(HERE) / "a.md").read_text()`,
    edit: rude('a.md'),
  },
  'what is in a folder': {
    files: { 'kb/a.md': '' },
    code: `import os
def agent(input):
    return "kind" if len(os.listdir(HERE + "/kb")) == 1 else "rude"`,
    edit: rude('kb/b.md'),
  },
  'files of a pattern': {
    files: { 'kb/deep/a.md': '' },
    code: `import glob
def agent(input):
    return "kind" if len(glob.glob(HERE + "/kb/**/*.md", recursive=True)) == 1 else "rude"`,
    edit: rude('kb/deep/b.md'),
  },
  'a link': {
    files: { 'kb/1.md': 'kind', 'kb/2.md': 'rude' },
    setUp: (folder) => symlinkSync('1.md', join(folder, 'kb/now.md')),
    code: `def agent(input):
    with open(HERE + "/kb/now.md", "rb") as file:
        return file.read().decode()`,
    edit(folder) {
      rmSync(join(folder, 'kb/now.md'));
      symlinkSync('2.md', join(folder, 'kb/now.md'));
    },
  },
  'a module of a name that is put together': {
    files: { 'parts_a/__init__.py': '', 'parts_a/say_hello.py': 'SAY = "kind"' },
    code: `import importlib
def agent(input):
    return importlib.import_module("parts_a." + "_".join(["say", "hello"])).SAY`,
    edit: (folder) => writeFileSync(join(folder, 'parts_a/say_hello.py'), 'SAY = "rude and more"'),
  },
  'a compiled module': {
    files: { 'words_b.py': 'SAY = "kind"' },
    code: `import sys
sys.dont_write_bytecode = False
import words_b
def agent(input):
    return words_b.SAY`,
    edit: (folder) => writeFileSync(join(folder, 'words_b.py'), 'SAY = "rude and more"'),
  },
  'a file that did not exist': {
    code: `import os
def agent(input):
    return "rude" if os.path.exists(HERE + "/flag") else "kind"`,
    edit: rude('flag'),
  },
  'a module that did not exist': {
    code: `try:
    from local_settings_c import SAY
except ImportError:
    SAY = "kind"
def agent(input):
    return SAY`,
    edit: (folder) => writeFileSync(join(folder, 'local_settings_c.py'), 'SAY = "rude"'),
  },
  'a descriptor': {
    files: { 'a.md': 'kind' },
    code: `import os
def agent(input):
    file = os.open(HERE + "/a.md", os.O_RDONLY)
    try:
        return os.read(file, 100).decode()
    finally:
        os.close(file)`,
    edit: rude('a.md'),
  },
  'a module before another one': {
    files: { 'first/x': '', 'second/words_d.py': 'SAY = "kind"' },
    code: `import sys
sys.path[:0] = [HERE + "/first", HERE + "/second"]
import words_d
def agent(input):
    return words_d.SAY`,
    edit: (folder) => writeFileSync(join(folder, 'first/words_d.py'), 'SAY = "rude"'),
  },
  'an installed package': {
    files: {
      'site-packages/words_e/__init__.py': 'SAY = "kind"',
      'site-packages/words_e-1.0.dist-info/RECORD': '',
    },
    code: `import sys
sys.path.append(HERE + "/site-packages")
import words_e
def agent(input):
    return words_e.SAY`,
    edit(folder) {
      writeFileSync(join(folder, 'site-packages/words_e/__init__.py'), 'SAY = "rude and more"');
      renameSync(
        join(folder, 'site-packages/words_e-1.0.dist-info'),
        join(folder, 'site-packages/words_e-2.0.dist-info'),
      );
    },
  },
  'the newest file': {
    files: { 'kb/a.md': 'kind', 'kb/b.md': 'rude' },
    setUp(folder) {
      utimesSync(join(folder, 'kb/a.md'), 2000, 2000);
      utimesSync(join(folder, 'kb/b.md'), 1000, 1000);
    },
    code: `import glob, os
def agent(input):
    return open(max(glob.glob(HERE + "/kb/*.md"), key=os.path.getmtime)).read()`,
    edit: (folder) => utimesSync(join(folder, 'kb/b.md'), 3000, 3000),
  },
  'a database': {
    code: `import sqlite3
def agent(input):
    return sqlite3.connect("file:" + HERE + "/kb.db?mode=ro", uri=True).execute("select text from words").fetchone()[0]`,
    setUp: (folder) => inSqlite(folder, `create table words(text); insert into words values ('kind')`),
    edit: (folder) => inSqlite(folder, `update words set text = 'rude'`),
    unknown: 'it uses sqlite3',
  },
  'a line of a shell': {
    files: { 'a.md': 'kind' },
    code: `import os
def agent(input):
    os.system("uname > /dev/null && cp " + HERE + "/a.md " + HERE + "/copy.md")
    return open(HERE + "/copy.md").read()`,
    edit: rude('a.md'),
    unknown: 'it starts the program uname',
  },
  'a template': {
    files: { 'page.html': '$part', 'part.html': 'kind' },
    code: `import string
def agent(input):
    return string.Template(open(HERE + "/page.html").read()).substitute(part=open(HERE + "/part.html").read())`,
    edit: rude('part.html'),
  },
  'a thread': {
    files: { 'a.md': 'kind' },
    code: `from concurrent.futures import ThreadPoolExecutor
def agent(input):
    with ThreadPoolExecutor() as pool:
        return pool.submit(lambda: open(HERE + "/a.md").read()).result()`,
    edit: rude('a.md'),
  },
  'a file that it writes too': {
    files: { 'memory.json': '"kind"' },
    code: `import json
def agent(input):
    text = json.load(open(HERE + "/memory.json"))
    json.dump(text, open(HERE + "/memory.json", "w"))
    return text`,
    edit: (folder) => writeFileSync(join(folder, 'memory.json'), '"rude"'),
  },
  'a program': {
    files: { 'a.md': 'kind' },
    code: `import subprocess
def agent(input):
    return subprocess.run(["cat", HERE + "/a.md"], capture_output=True, text=True).stdout`,
    edit: rude('a.md'),
    unknown: 'it starts the program cat',
  },
  'a process of its own': {
    files: { 'a.md': 'kind' },
    code: `import os
def agent(input):
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.write(theirs, open(HERE + "/a.md", "rb").read())
        os._exit(0)
    os.wait()
    return os.read(ours, 100).decode()`,
    edit: rude('a.md'),
    unknown: 'it forks its process',
  },
};

test.each([
  ['JavaScript', 'agent.mjs', IN_JAVASCRIPT],
  ['Python', 'agent.py', IN_PYTHON],
] as const)(
  '%s: run --changed knows what an agent uses, or calls it',
  (_, usual, kinds) => expectKnown(usual, kinds),
  120_000,
);
