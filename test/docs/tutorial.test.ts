import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRequest } from '../frameworks/read-request.ts';
import {
  startModelServer,
  type ModelServer,
  type ReceivedRequest,
  type Turn,
} from '../servers/model-server.ts';
import { createProject, runCli, type Project } from '../project.ts';
import { ROOT } from './assay-process.ts';
import { withoutNoise } from './printed-output.ts';
import { readSnippets } from './read-snippets.ts';

/** The model of the tutorial: it cancels at once, unless its prompt tells it to ask. */
function answer(request: ReceivedRequest): Turn {
  const usage = { input: 120, output: 20, cached: 0 };
  if (request.text.includes('expected_outcome') || request.text.includes('reasoning')) {
    const verdict = { reasoning: 'It says so and asks.', evidence: [], hits: [], misses: [], score: 1 };
    return { text: JSON.stringify(verdict), usage };
  }
  const { said } = readRequest(request);
  const last = said.at(-1)!;
  const asksFirst = request.text.includes('Are you sure?');
  const users = said.filter(({ by }) => by === 'user').map(({ text }) => text);
  const id = /\b[A-Z]\d\b/.exec(users.join(' '))?.[0] ?? 'A1';
  const call = (name: string): Turn => ({ toolCalls: [{ name, args: JSON.stringify({ id }) }], usage });
  if (last.by === 'tool') {
    if (last.text.includes('cancelled')) return { text: `I have cancelled order ${id}.`, usage };
    const found = last.text.includes('Friday')
      ? `Order ${id} has shipped. It arrives on Friday.`
      : `There is no order ${id}. Could you check the number?`;
    return { text: found, usage };
  }
  if (last.text.includes('Where is')) return call('find_order');
  if (last.text.includes('cancel') && asksFirst)
    return { text: `Are you sure that you want to cancel order ${id}?`, usage };
  if (last.text === 'Yes.' && !asksFirst) return { text: 'It is already cancelled.', usage };
  return call('cancel_order');
}

let server: ModelServer;
let project: Project;
let printed = '';
beforeAll(async () => {
  server = await startModelServer(answer);
  project = createProject({});
  // What `npm install` would bring.
  mkdirSync(join(project.path, 'node_modules'));
  for (const name of ['ai', '@ai-sdk', 'zod'])
    symlinkSync(join(ROOT, 'node_modules', name), join(project.path, 'node_modules', name));
});
afterAll(async () => {
  await server.close();
  project.remove();
});

/** The price of a model at another address is unknown, and a busy machine is slow. */
function withoutCost(text: string): string {
  return withoutNoise(text)
    .replaceAll(/^(Cost +)\$.*$/gm, '$1<cost>')
    .replaceAll(/^Slow .*\n/gm, '');
}

/** From top to bottom, with a model on the loopback; a replay has no key and no model. */
test.each(readSnippets(ROOT, 'docs/tutorial.md'))('line $line: $language', async (snippet) => {
  const { language, directives, text } = snippet;
  const file = directives.get('file');
  if (language === 'text') {
    expect(withoutCost(text)).toBe(withoutCost(printed));
  } else if (file !== undefined && directives.has('replace')) {
    const path = join(project.path, file);
    const before = readFileSync(path, 'utf8');
    const after = before.replace(new RegExp(`^const ${directives.get('replace')!} = .*$`, 'm'), text.trim());
    expect(after).not.toBe(before);
    writeFileSync(path, after);
  } else if (file !== undefined) {
    writeFileSync(join(project.path, file), text);
  } else {
    for (const line of text.split('\n').filter((each) => each.startsWith('npx assay '))) {
      const isReplay = line.includes('replay');
      const key = isReplay ? undefined : 'sk-tutorial-0123456789';
      const result = await runCli(line.split(' ').slice(2), {
        cwd: project.path,
        env: {
          OPENAI_API_KEY: key,
          OPENAI_BASE_URL: isReplay ? 'http://127.0.0.1:9/v1' : `${server.url}/v1`,
        },
      });
      expect(result, `${line}\n${result.stdout}${result.stderr}`).toMatchObject({
        exitCode: Number(directives.get('exit') ?? 0),
      });
      printed = result.stdout;
    }
  }
});
