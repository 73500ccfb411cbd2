// What an editor waits for: problems after a change, and completion, against the same in a small file.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { CLI, row, runNode, withProject } from './measure.mjs';

const SMALL = 200;
const LARGE = 20_000;
const ROUNDS = 7;

export function benchLsp() {
  const files = { 'large.eval.yaml': suite(LARGE) };
  return withProject(files, async (cwd) => {
    const child = spawn(process.execPath, [CLI, 'lsp', '--stdio'], {
      cwd,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(cwd).href,
      capabilities: {},
    });
    await connection.sendNotification('initialized', {});
    const small = await measure(connection, `${pathToFileURL(cwd).href}/small.eval.yaml`, SMALL);
    const large = await measure(connection, `${pathToFileURL(cwd).href}/large.eval.yaml`, LARGE);
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    const validate = await runNode([CLI, 'validate', 'large.eval.yaml'], { cwd });
    return [
      row(
        'lsp: problems of 20,000 lines after they are opened, against `assay validate`',
        validate.seconds,
        large.open,
        {
          target: '1.5x',
        },
      ),
      row('lsp: completion in 20,000 lines, against 200 lines', small.complete, large.complete, {
        target: '5x',
      }),
    ];
  });
}

/** Seconds until the problems of a new document are known, and for one completion while somebody types. */
async function measure(connection, uri, lines) {
  const published = new Map();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri: about, version }) =>
    published.get(`${about} ${version}`)?.(),
  );
  const checked = (version) => new Promise((done) => published.set(`${uri} ${version}`, done));
  const start = performance.now();
  const first = checked(1);
  const textDocument = { uri, languageId: 'yaml', version: 1, text: suite(lines) };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  await first;
  const open = (performance.now() - start) / 1000;
  const taken = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    const position = { line: 4, character: 28 };
    const items = await connection.sendRequest('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    if (items.length === 0) throw new Error('nothing is completed');
    taken.push((performance.now() - begun) / 1000);
  }
  return { open, complete: taken.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] };
}

function suite(lines) {
  const cases = Array.from(
    { length: lines / 4 },
    (_, index) =>
      `  - id: case-${index}\n    input: hello ${index}\n    # 😀\n    evaluators: [{ type: contains, value: "x${index}" }]\n`,
  );
  return `evalcases:\n${cases.join('')}`;
}
