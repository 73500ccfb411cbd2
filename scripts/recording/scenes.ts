import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

export interface Scene {
  /** What a person types. */
  readonly command: string;
  /** What is printed, with the codes of colours. */
  readonly output: string;
  readonly seconds: number;
}

const TEST = `description: A flight to Lisbon
steps:
  - input: Is there a flight to Lisbon?
    assert:
      tools_used: [search_flights]
      memory.offer.price: 89
`;

const MODELS = `targets:
  - { name: small, provider: mock, response: { output: It ships on Monday., cost_usd: 0.0001 } }
  - { name: medium, provider: mock, response: { output: Order A1 ships on Monday., cost_usd: 0.0004 } }
  - { name: large, provider: mock, response: { output: Order A1 ships on Monday. Returns are free., cost_usd: 0.002 } }
`;

const QUESTIONS = `targets: [small, medium, large]
evalcases:
  - id: day
    input: When does my order A1 ship?
    evaluators: [{ type: contains, value: Monday }]
  - id: names-the-order
    input: When does my order A1 ship?
    evaluators: [{ type: contains, value: A1 }]
  - id: returns
    input: Can I return it?
    evaluators: [{ type: icontains, value: returns are free }]
`;

/** A red run with its difference, an edit, a green run, and the grid of three models: all from a real run. */
export function recordScenes(): readonly Scene[] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-recording-'));
  const assay = (...args: readonly string[]): string => run(folder, args);
  try {
    assay('init', '.', '--yes');
    const file = join(folder, 'lisbon.test.yaml');
    writeFileSync(file, TEST);
    const red = assay('run', 'lisbon.test.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('89', '98'));
    const green = assay('run', 'lisbon.test.yaml');
    writeFileSync(join(folder, 'assay.config.yaml'), MODELS);
    writeFileSync(join(folder, 'orders.eval.yaml'), QUESTIONS);
    const grid = assay('run', 'orders.eval.yaml');
    return [
      { command: 'npx assay run lisbon.test.yaml', output: red, seconds: 7 },
      { command: "sed -i 's/89/98/' lisbon.test.yaml", output: '', seconds: 2 },
      { command: 'npx assay run lisbon.test.yaml', output: green, seconds: 4 },
      { command: 'npx assay run orders.eval.yaml', output: from(grid, 'Targets'), seconds: 6 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, args: readonly string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    FORCE_COLOR: '1',
    ASSAY_AGENT: 'false',
    COLUMNS: '100',
  };
  try {
    return execFileSync(process.execPath, [CLI, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    // A red run ends with 1.
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    if (status === 1) return stdout;
    throw new Error(`assay ${args.join(' ')} ended with ${status}: ${stderr}`, { cause: error });
  }
}

/** The output from the last line on that begins with this word; what comes before is too long for a picture. */
function from(output: string, word: string): string {
  const lines = output.split('\n');
  const start = lines.findLastIndex((line) => withoutColors(line).startsWith(`${word} `));
  if (start === -1) throw new Error(`no line begins with ${word}`);
  const comparison = (line: string) => / against /.test(line);
  return lines
    .slice(start)
    .filter((line) => !comparison(line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}

export function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[[\d;]*m/g, '');
}
