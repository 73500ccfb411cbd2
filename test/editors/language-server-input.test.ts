import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLI } from '../project.ts';
import { createEditorProject, SUITE } from './editor-project.ts';
import { LanguageClient } from './language-client.ts';

describe('bad input of assay lsp', () => {
  test('nonsense from a client gets errors or nothing, and the server continues', async () => {
    const project = createEditorProject({});
    const client = await project.start();
    const { connection } = client;
    const garbage = [
      null,
      5,
      [],
      'x',
      {},
      { textDocument: 5 },
      { textDocument: { uri: 7 } },
      { textDocument: { uri: 'http://x' }, position: { line: -5, character: 'x' } },
    ];
    for (const params of garbage) {
      for (const method of ['didOpen', 'didChange', 'didClose', 'didSave'])
        await connection.sendNotification(`textDocument/${method}`, params as object);
      await connection.sendNotification('workspace/didChangeWorkspaceFolders', params as object);
      await connection.sendNotification('window/workDoneProgress/cancel', params as object);
      for (const method of ['completion', 'hover', 'definition', 'codeLens'])
        await connection.sendRequest(`textDocument/${method}`, params as object).catch(() => undefined);
      await connection.sendRequest('workspace/executeCommand', params as object).catch(() => undefined);
    }
    await expect(connection.sendRequest('textDocument/nonsense', {})).rejects.toThrow(/nonsense/);
    await connection.sendRequest('workspace/executeCommand', { command: 'rm -rf', arguments: [] });
    await client.nextMessage(/unknown command/);
    const uri = project.uri('a.test.yaml');
    await client.open(uri, 'input: x\nassert: {output.equals: a|}\n');
    for (const position of [
      { line: 1e9, character: 0 },
      { line: 0, character: 1e9 },
      { line: -1, character: -1 },
      null,
    ])
      for (const method of ['completion', 'hover', 'definition'])
        await connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, position });
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [
        { range: { start: { line: 90, character: 9 }, end: { line: 1, character: 0 } }, text: 'y' },
      ],
    });
    expect(Array.isArray(await client.nextDiagnostics(uri))).toBe(true);
  });

  test('broken messages on the wire do not stop the server', async () => {
    const project = createEditorProject({});
    const client = await project.start();
    for (const raw of [
      'Content-Length: 5\r\n\r\n{"a":',
      'Content-Length: 2\r\n\r\n{}',
      'Content-Length: 4\r\n\r\nnull',
      'Content-Length: 12\r\nContent-Type: text/plain; charset=utf8\r\n\r\n{"jsonrpc":1',
      'hello\r\n\r\n',
      'Content-Length: abc\r\n\r\n',
      'Content-Length: -5\r\n\r\n',
      'Content-Length: 99999999999\r\n\r\n',
      'Content-Length: 2\r\n\r\n{}{}{}{}',
      '\0\0\uFFFF',
    ])
      client.child.stdin!.write(raw);
    expect((await client.check('a.test.yaml', 'input: 5\n')).length).toBeGreaterThan(0);
    await client.nextMessage(/^a message from the editor could not be read, and is ignored: .*JSON/);
  });

  test('unsaved and untitled documents, missing folders, and broken or huge texts are handled', async () => {
    const project = createEditorProject({ 'gone/a.eval.yaml': SUITE });
    const client = await project.start({
      workspaceFolders: [
        { uri: project.uri('gone'), name: 'gone' },
        { uri: project.uri('never'), name: 'never' },
      ],
    });
    rmSync(join(project.path, 'gone'), { recursive: true });
    const check = async (uri: string, text: string): Promise<readonly string[]> => {
      await client.open(uri, text.replaceAll('|', '/'));
      return (await client.nextDiagnostics(uri, 1)).map(({ code }) => String(code));
    };
    expect(await check(project.uri('gone/a.eval.yaml'), `${SUITE}x: 1\n`)).toEqual(['unknown_field']);
    expect(await check('untitled:Untitled-1', `${SUITE}x: 1\n`)).toEqual(['unknown_field']);
    expect(await check(project.uri('new/folder/b.eval.yaml'), `${SUITE}x: 1\n`)).toEqual(['unknown_field']);
    const broken = [
      '{',
      '[[[[[',
      '"',
      '\t\t-',
      '- - - :',
      '&a *a',
      '\0',
      '!!x y',
      '%YAML 9',
      `a: ${'['.repeat(5000)}`,
    ];
    const found = await Promise.all(
      broken.map(async (text, index) => {
        await client.complete('x.eval.yaml', `${text}|`);
        await client.hover('x.eval.yaml', `|${text}`);
        return check(project.uri(`broken${index}.eval.yaml`), text);
      }),
    );
    expect(broken.filter((_, index) => found[index]!.length === 0)).toEqual([]);
    const one = `  - id: ID\n    input: ${'hello '.repeat(200)}\n    evaluators: [{ type: contains, value: hi }]\n`;
    const huge = `evalcases:\n${Array.from({ length: 4500 }, (_, index) => one.replace('ID', `t${index}`)).join('')}`;
    expect(huge.length).toBeGreaterThan(5_000_000);
    expect(await check(project.uri('huge.eval.yaml'), `${huge}x: 1\n`)).toEqual(['unknown_field']);
    const [textDocument, position] = [{ uri: project.uri('huge.eval.yaml') }, { line: 9, character: 4 }];
    // Only the item around it is parsed.
    expect(
      await client.connection.sendRequest('textDocument/hover', { textDocument, position }),
    ).toMatchObject({
      contents: { value: expect.stringMatching(/^\*\*evaluators\*\*/) as string },
    });
  }, 60_000);

  test('the server ends if the editor disappears or leaves without shutting down', async () => {
    const project = createEditorProject({});
    const silent = new LanguageClient([CLI, 'lsp'], { cwd: project.path });
    await silent.ready();
    const ended = new Promise((resolve) => silent.child.once('exit', resolve));
    silent.child.stdin!.end();
    expect(await ended).toBe(1);
    const rude = new LanguageClient([CLI, 'lsp', '--stdio', '--clientProcessId=1'], { cwd: project.path });
    await rude.ready();
    const left = new Promise((resolve) => rude.child.once('exit', resolve));
    await rude.connection.sendNotification('exit');
    expect(await left).toBe(1);
  });

  test('if the editor dies while a test runs, the test ends too', async () => {
    const project = createEditorProject({
      'assay.config.yaml': 'agent: ./agent.mjs\n',
      'agent.mjs': `import { writeFileSync } from 'node:fs';
export const agent = async () => {
  writeFileSync('started', String(process.pid));
  await new Promise((resolve) => setTimeout(resolve, 600_000));
};
`,
      '-a.test.yaml': 'id: a\ninput: x\nassert: { output.includes: x }\n',
    });
    const client = new LanguageClient([CLI, 'lsp', '--stdio'], { cwd: project.path });
    await client.ready();
    await client.connection.sendRequest('workspace/executeCommand', {
      command: 'assay.run',
      arguments: [{ uri: project.uri('-a.test.yaml'), id: 'a', line: 1 }],
    });
    const started = join(project.path, 'started');
    await expect
      .poll(() => existsSync(started) && readFileSync(started, 'utf8'), { timeout: 20_000 })
      .toBeTruthy();
    const ended = new Promise((resolve) => client.child.once('close', resolve));
    client.child.stdout!.destroy();
    client.child.stdin!.end();
    await ended;
    expect(client.stderr).toBe('');
    expect(() => process.kill(Number(readFileSync(started, 'utf8')), 0)).toThrow('ESRCH');
  }, 60_000);

  test('nothing of the project is executed, whatever is opened or requested', async () => {
    const mark = (name: string): string =>
      `import { writeFileSync } from 'node:fs'; writeFileSync(new URL('./EXECUTED-${name}', import.meta.url), '');`;
    const python = `open(__file__ + '.EXECUTED', 'w').close()\ndef tone(evidence, config): return 1\n`;
    const config =
      'agent: ./agent.mjs\nevaluators: [./checks.mjs, ./checks.py]\nreporter: ./reporter.mjs\ntargets: [{ name: c, command: "touch EXECUTED-command {PROMPT}" }]\n';
    const suite =
      'target: c\nevalcases:\n  - id: a\n    input: hi\n    evaluators:\n      - type: ./checks.mjs#x\n      - type: ./checks.py#tone\n      - type: tone\n      - { type: code_judge, script: ./checks.py }\n';
    const project = createEditorProject({
      'assay.config.ts': mark('config'),
      'agent.mjs': mark('agent'),
      'a.eval.yaml': suite,
      'sub/package.json': '{}',
      'sub/assay.config.yaml': config,
      'sub/a.eval.yaml': suite,
      'sub/agent.mjs': mark('agent'),
      'sub/checks.mjs': mark('checks'),
      'sub/reporter.mjs': mark('reporter'),
      'sub/checks.py': python,
    });
    const client = await project.start();
    for (const name of ['a.eval.yaml', 'sub/a.eval.yaml', 'sub/assay.config.yaml']) {
      const textDocument = { uri: project.uri(name) };
      await client.open(textDocument.uri, readFileSync(join(project.path, name), 'utf8'));
      await client.nextDiagnostics(textDocument.uri, 1);
      for (let line = 0; line < 9; line++)
        for (const method of ['completion', 'hover', 'definition', 'codeLens'])
          await client.connection.sendRequest(`textDocument/${method}`, {
            textDocument,
            position: { line, character: 14 },
          });
    }
    const files = readdirSync(project.path, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.includes('EXECUTED'))).toEqual([]);
  });
});
