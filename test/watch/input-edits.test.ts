import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { randomFrom, type Random } from '../../scripts/random.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { effort } from '../effort.ts';
import { createProject, runCli } from '../project.ts';
import { SAVES } from './random-edits.ts';

const JAVASCRIPT = `
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
const kb = process.env.KB;
const read = {
  named: () => readFile(kb + '/en.md', 'utf8'),
  link: () => readFileSync('now.md', 'utf8'),
  folder: () => readdirSync('notes').toSorted().join(' ') + (existsSync('flag') ? ' rude' : ''),
  module: async () => (await import('./parts/' + readFileSync('which.txt', 'utf8') + '.mjs')).say,
  config: () => { try { return JSON.parse(readFileSync('local.json', 'utf8')).say; } catch { return 'kind'; } },
};
export async function agent(input) {
  writeFileSync('out/last-js.txt', input + Math.random());
  return { output: await read[input](), tools_used: [] };
}`;

const PYTHON = `
import importlib, json, os
from pathlib import Path
def module():
    return importlib.import_module("parts." + Path("which.txt").read_text()).SAY
def config():
    try:
        return json.load(open("local.json"))["say"]
    except (OSError, ValueError, KeyError):
        return "kind"
READ = {
    "named": lambda: open(os.path.join(os.environ["KB"], "en.md")).read(),
    "link": lambda: Path("now.md").read_text(),
    "folder": lambda: " ".join(sorted(os.listdir("notes"))) + (" rude" if os.path.exists("flag") else ""),
    "module": module,
    "config": config,
}
def agent(input):
    with open("out/last-py.txt", "w") as file:
        file.write(input)
    return {"output": READ[input](), "tools_used": []}
`;

const INPUTS = ['named', 'link', 'folder', 'module', 'config'];
const WORDS = ['kind', 'rude', 'kind and more', 'rude and more'];
const ASK_JAVASCRIPT = `import { agent } from './agent.mjs';
const said = {};
for (const input of process.argv.slice(1)) said[input] = (await agent(input)).output;
console.log(JSON.stringify(said));`;
const ASK_PYTHON = `import sys, json
sys.dont_write_bytecode = True
sys.path.insert(0, ".")
from agent import agent
print(json.dumps({each: agent(each)["output"] for each in sys.argv[1:]}))`;

/**
 * After each edit, of files that agents use and of others, the verdicts of \`run --changed\` are those of agents that are called
 * now, in processes of their own. How many calls were needless is counted.
 */
test('after any edit of a file, no verdict is an old one', { timeout: 3_600_000 }, async () => {
  const random = randomFrom(inject('seed'));
  const kb = createProject({ 'en.md': 'kind' });
  const { path, remove } = createProject({
    'agent.mjs': JAVASCRIPT,
    'agent.py': PYTHON,
    'assay.config.yaml': 'targets:\n  - {name: js, agent: ./agent.mjs}\n  - {name: py, agent: ./agent.py}\n',
    'a.test.yaml': suite('kind'),
    'which.txt': 'one',
    'parts/one.mjs': `export const say = 'kind';`,
    'parts/two.mjs': `export const say = 'rude';`,
    'parts/one.py': `SAY = 'kind'`,
    'parts/two.py': `SAY = 'rude'`,
    'versions/1.md': 'kind',
    'versions/2.md': 'rude',
    'notes/kind.md': '',
    'out/last-js.txt': '',
  });
  symlinkSync('versions/1.md', join(path, 'now.md'));
  const env = { KB: kb.path, ASSAY_ISOLATE: 'true' };
  let word = 'kind';
  let before = new Map<string, AttemptRecord>();
  let replies: Record<string, string> = {};
  const count = { called: 0, needless: 0, kept: 0 };
  const run = async (context: string): Promise<void> => {
    const args = ['run', '--changed', '--reporter', 'json'];
    const { stdout, stderr } = await runCli(args, { cwd: path, env });
    const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
    const now = ask(path, env);
    const verdicts = Object.fromEntries(
      results.map(({ test: id, target, verdict }) => [`${target} ${id}`, verdict]),
    );
    const wanted = Object.entries(now).map(([id, reply]) => [id, reply.includes(word) ? 'passed' : 'failed']);
    expect(verdicts, `${context}\n${stderr}`).toEqual(Object.fromEntries(wanted));
    for (const { id, ...result } of results) {
      const name = `${result.target} ${result.test}`;
      // Replies that are graded again keep their model calls and get new times: what was said decides.
      const isCalled = result.agent_data !== before.get(id)?.agent_data;
      if (!isCalled) count.kept++;
      else if (before.size > 0) count.called++;
      if (isCalled && replies[name] === now[name]) count.needless++;
    }
    before = new Map(results.map((result) => [result.id, result]));
    replies = now;
  };
  try {
    await run('first');
    const amount = effort({ short: 10, long: 1000 });
    for (let number = 1; number <= amount; number++) {
      const edit = change(random, { path, kb: kb.path });
      if (edit.startsWith('word ')) {
        word = edit.slice(5);
        writeFileSync(join(path, 'a.test.yaml'), suite(word));
      }
      if (number % 50 === 0 && process.env['SHOW_CALLS'] !== undefined)
        console.log(JSON.stringify({ number, ...count }));
      await run(`seed ${inject('seed')}, edit ${number}: ${edit}`);
    }
    if (process.env['SHOW_CALLS'] !== undefined) console.log(JSON.stringify({ edits: amount, ...count }));
    expect(count.kept).toBeGreaterThan(0);
  } finally {
    remove();
    kb.remove();
  }
});

function suite(word: string): string {
  return INPUTS.map(
    (input) => `- {id: ${input}, targets: [js, py], input: ${input}, assert: {output.includes: ${word}}}\n`,
  ).join('');
}

/** Edits one thing, and says which. */
function change(random: Random, { path, kb }: { readonly path: string; readonly kb: string }): string {
  const [how, save] = random.pick(Object.entries(SAVES));
  const write = (name: string, text: string, folder = path): string => {
    const file = join(folder, name);
    if (existsSync(file)) save(file, text);
    else writeFileSync(file, text);
    return `${how} ${name} ${text}`;
  };
  const toggle = (name: string, text: string): string => {
    if (!existsSync(join(path, name))) return write(name, text);
    rmSync(join(path, name), { recursive: true });
    return `removed ${name}`;
  };
  const word = random.pick(WORDS);
  const part = random.pick(['one', 'two']);
  const edits: readonly (() => string)[] = [
    () => write('en.md', word, kb),
    () => write('other.md', word, kb),
    () => toggle(`notes/${word}.md`, ''),
    () => toggle('flag', ''),
    () => toggle('local.json', JSON.stringify({ say: word })),
    () => write('which.txt', part),
    () => write(`parts/${part}.mjs`, `export const say = '${word}';`),
    () => write(`parts/${part}.py`, `SAY = '${word}' # ${random.below(1e6)}`),
    () => write(`versions/${random.pick(['1', '2'])}.md`, word),
    () => {
      const leadsTo = `versions/${random.pick(['1', '2'])}.md`;
      rmSync(join(path, 'now.md'));
      symlinkSync(leadsTo, join(path, 'now.md'));
      return `link to ${leadsTo}`;
    },
    () => write(random.pick(['README.md', 'out/last-js.txt', 'versions/3.md']), word),
    () => write('agent.mjs', `${JAVASCRIPT}// ${random.below(1e6)}\n`),
    () => write('agent.py', `${PYTHON}# ${random.below(1e6)}\n`),
    () => write('which.txt', readFileSync(join(path, 'which.txt'), 'utf8')),
    () => {
      mkdirSync(join(path, 'docs'), { recursive: true });
      return write('docs/a.md', word);
    },
    () => `word ${random.pick(['kind', 'rude', 'more'])}`,
  ];
  return random.pick(edits)();
}

/** What the agents say now. */
function ask(cwd: string, own: Readonly<Record<string, string>>): Record<string, string> {
  const options = { cwd, env: { ...process.env, ...own }, encoding: 'utf8' } as const;
  const javascript = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', ASK_JAVASCRIPT, ...INPUTS],
    options,
  );
  const python = execFileSync('python3', ['-c', ASK_PYTHON, ...INPUTS], options);
  const named = (target: string, said: string): [string, string][] =>
    Object.entries(JSON.parse(said) as Record<string, string>).map(([input, reply]) => [
      `${target} ${input}`,
      reply,
    ]);
  return Object.fromEntries([...named('js', javascript), ...named('py', python)]);
}
