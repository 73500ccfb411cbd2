import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import type { Finding } from '../../src/base/model/finding.ts';
import { effort } from '../effort.ts';
import { CLI, runCli } from '../project.ts';
import { LanguageClient } from './language-client.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const PIECES = [
  '\t',
  ': ',
  '- ',
  '"',
  "'",
  '{',
  ']',
  '#',
  '|',
  '&a ',
  '*a',
  '{{x}}',
  'ö😀',
  '\0',
  '\r\n',
  'null',
  '1e9',
  '-',
  'x',
];

test('for randomly edited examples, an editor shows what `assay validate` finds', async () => {
  const rounds = effort({ short: 2, long: 14 });
  let edited = 0;
  let found = 0;
  for (let round = 1; round <= rounds; round++) {
    const random = createRandom(round);
    const root = mkdtempSync(join(tmpdir(), 'assay-edits-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, 'my examples'));
    const folder = join(root, 'my examples');
    cpSync(EXAMPLES, folder, {
      recursive: true,
      filter: (path) =>
        !/node_modules|\.assay|cluster|\/cassettes\/cassettes|coding-agent\/cassettes/.test(path),
    });
    writeFileSync(join(folder, 'package.json'), '{}');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:test|eval)\.(?:yaml|json)$|\.jsonl$/.test(name),
    );
    for (const name of names) {
      const text = readFileSync(join(folder, name), 'utf8');
      writeFileSync(join(folder, name), edit(text, random));
    }
    const { stdout } = await runCli(['validate', '--json', ...names], { cwd: folder });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const client = new LanguageClient([CLI, 'lsp', '--stdio'], { cwd: folder });
    onTestFinished(async () => void (await client.end()));
    await client.ready();
    for (const name of names) {
      const uri = pathToFileURL(join(folder, name)).href;
      const text = readFileSync(join(folder, name), 'utf8');
      await client.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version: 1, text },
      });
      const shown = (await client.nextDiagnostics(uri, 1)).map(asLine);
      const wanted = findings
        .filter(({ file, code }) => resolve(folder, file) === join(folder, name) && !IGNORED.has(code))
        .map((finding) => ofFinding(finding));
      expect([...new Set(shown)].sort(), `round ${round}: ${name}\n${text}`).toEqual(
        [...new Set(wanted)].sort(),
      );
      edited++;
      found += wanted.length;
    }
  }
  expect(edited).toBeGreaterThan(effort({ short: 20, long: 200 }));
  expect(found).toBeGreaterThan(edited / 3);
});

/** What the command line could do about a config that is code. */
const IGNORED: ReadonlySet<string> = new Set(['config_not_read', 'evaluators_not_read']);

function asLine({ severity, code, message, range }: Diagnostic): string {
  return `${severity === 1 ? 'error' : 'warning'} ${range.start.line + 1} ${code}: ${message}`;
}

function ofFinding({ severity, code, message, hint, line }: Finding): string {
  return `${severity} ${line} ${code}: ${message}${hint === undefined ? '' : `\n${hint}`}`;
}

type Random = (below: number) => number;

function edit(text: string, random: Random): string {
  let edited = text;
  for (let left = 1 + random(3); left > 0; left--) {
    const at = random(edited.length + 1);
    const lines = edited.split('\n');
    const line = random(lines.length);
    const edits = [
      () => edited.slice(0, at) + edited.slice(at + 1 + random(4)),
      () => edited.slice(0, at) + PIECES[random(PIECES.length)]! + edited.slice(at),
      () => lines.toSpliced(line, 1).join('\n'),
      () => lines.toSpliced(line, 0, lines[random(lines.length)]!).join('\n'),
      () => lines.with(line, `  ${lines[line]!}`).join('\n'),
      () => lines.with(line, lines[line]!.replace(/:.*/, `: ${PIECES[random(PIECES.length)]!}`)).join('\n'),
      () =>
        lines
          .with(
            line,
            lines[line]!.replace(/[a-z]{3,}/, (word) => word[0]! + word),
          )
          .join('\n'),
      () => edited.replaceAll('\n', '\r\n'),
      () => edited.slice(0, at),
      () => `\uFEFF${edited}`,
    ];
    edited = edits[random(edits.length)]!();
  }
  return edited;
}

/** The same numbers for the same seed. */
function createRandom(seed: number): Random {
  let state = seed * 2_654_435_769;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x9e_37_79_b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}
