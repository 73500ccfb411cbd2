import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { naughtyProject } from './naughty-suite.ts';

async function report(files: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const project = createProject(files);
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'markdown', ...args], {
    cwd: project.path,
  });
  project.remove();
  return stdout;
}

const AGENT = 'export const agent = (input) => ({ output: input });';
const withoutTimes = (text: string) => text.replaceAll(/\d+(?:\.\d+)? m?s\b/g, '<time>');

test('it has a headline, what did not pass, and folded details', async () => {
  const markdown = await report({
    'agent.mjs': AGENT,
    'a.test.yaml':
      '- {id: good, input: hi, assert: {output.equals: hi}}\n- {id: bad, input: hi, assert: {output.equals: ho}}\n',
  });
  expect(withoutTimes(markdown)).toMatchInlineSnapshot(`
    "## Assay: ❌ 1 of 2 failed

    1 passed · 1 failed · <time>

    | | test | where | what is wrong |
    |---|---|---|---|
    | ❌ | \`bad\` | \`a.test.yaml:2\` | \`output.equals: expected "ho", got "hi"\` |

    <details><summary><code>bad</code> in <code>a&#46;test&#46;yaml</code></summary>

    \`\`\`text
    FAIL bad

      a.test.yaml:2:48
        1 | - {id: good, input: hi, assert: {output.equals: hi}}
      > 2 | - {id: bad, input: hi, assert: {output.equals: ho}}
          |                                                ^^
      output.equals: expected "ho", got "hi"

      input:  hi
      output: hi

      rerun: assay run a.test.yaml:2 --agent ./agent.mjs
    \`\`\`

    </details>
    "
  `);
});

test('it is short if everything passed; an invalid file never counts as passed', async () => {
  const good = 'input: hi\nassert: {output.equals: hi}\n';
  expect(withoutTimes(await report({ 'agent.mjs': AGENT, 'a.test.yaml': good }))).toBe(
    '## Assay: ✅ 1 of 1 passed\n\n1 passed · <time>\n',
  );
  const invalid = await report({ 'agent.mjs': AGENT, 'a.test.yaml': good, 'b.test.yaml': 'inptu: x\n' });
  expect(invalid).toMatch(/^## Assay: ❌ \d errors? in the files/);
});

test('text of tests and agents is shown and never interpreted', async () => {
  const markdown = await report(naughtyProject(), 'suites');
  const { structure, code } = takeApart(markdown);
  // Whatever is outside of code is ours.
  expect(structure).not.toMatch(/script|octocat|javascript|https?:|injected|CDATA|heading/);
  expect(structure.match(/<details>/g)?.length).toBe(structure.match(/<\/details>/g)?.length);
  for (const row of structure.split('\n').filter((line) => line.startsWith('|')))
    expect(row).toMatch(/^\|(?:[^|]*\|){3,4}$/);
  expect(code).toContain('<script>alert(1)</script>');
  // oxlint-disable-next-line no-control-regex
  expect(markdown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});

/** Parts of Markdown as CommonMark reads them: fences first, then code spans of equal runs of backticks, then tags. */
function takeApart(markdown: string): { readonly structure: string; readonly code: string } {
  let code = '';
  const keep = (text: string): string => {
    code += `${text}\n`;
    return '';
  };
  const structure = markdown
    .replaceAll(/^(`{3,})text\n([\s\S]*?)\n\1$/gm, (_, _fence: string, inner: string) => keep(inner))
    .replaceAll(/<code>([^<>`|@[\]]*)<\/code>/g, (_, inner: string) => keep(inner))
    .replaceAll(/(?<!`)(`+)(?!`)([^`|\n]*)(?<!`)\1(?!`)/g, (_, _run: string, inner: string) => keep(inner));
  return { structure, code };
}

test('it fits into a comment and says what it leaves out', async () => {
  const tests = Array.from({ length: 900 }, (_, index) => ({
    id: `ü${index} ${'| `'.repeat(60)}`,
    input: 'x'.repeat(300),
    assert: { 'output.equals': `y${index}` },
  }));
  const markdown = await report({ 'agent.mjs': AGENT, 'a.test.json': JSON.stringify(tests) });
  expect(markdown.length).toBeLessThanOrEqual(65_000);
  expect(markdown.length).toBeGreaterThan(55_000);
  expect(markdown).toMatch(/_and \d+ more that did not pass\._/);
  expect(markdown).toMatch(/_The details of \d+ of them are left out/);
});

test('a line break in the name of a file starts no line, also among tests that fail alike', async () => {
  const bad = '- {id: a, input: hi, assert: {output.equals: ho}}\n';
  const markdown = await report({
    'agent.mjs': AGENT,
    'a.test.yaml': bad,
    'b\n::error::x.test.yaml': bad,
    'c\r::error::x.test.yaml': bad,
  });
  expect(markdown).toContain('The same in:');
  expect(markdown.match(/::error::x/g)!.length).toBeGreaterThan(1);
  expect(markdown).not.toMatch(/(?:^|[\r\n])\s*::error::/);
});
