import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

test('a CI log has the files first, then the failures with all details, the summary and the annotations', async () => {
  const project = createProject({
    'agent.mjs': `export function agent(input) {
      if (input === 'crash') throw new TypeError('flights is not iterable');
      return { output: 'You said ' + input, memory: {} };
    }`,
    'tests/good.test.yaml': 'input: hello\nassert: {output.includes: hello}\n',
    'tests/bad.test.yaml':
      '- id: greets\n  input: hello\n  assert:\n    output.equals: Hello!\n- id: books\n  input: crash\n  assert: {output.includes: booked}\n- id: later\n  skip: no fares yet\n  input: hello\n  assert: {output.includes: hello}\n',
    'tests/typo.test.yaml': 'input: hello\nassert: {output.contians: hello}\n',
  });
  // Colours and cursor movements would come with a terminal; a log has none, so not even TERM matters.
  const env = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: project.path, NO_COLOR: undefined };
  const args = ['run', 'tests', '--agent', './agent.mjs', '--workers', '1', '--reporter', 'junit=junit.xml'];
  const { stdout, stderr, exitCode } = await runCli(args, { cwd: project.path, env });
  project.remove();
  expect(exitCode).toBe(2);
  expect(
    stdout
      .replace(/Time .*/, 'Time')
      .replace(/^Slow .*\n/m, '')
      .replace(/^(Run +)\S+$/m, '$1<run>')
      .replaceAll(project.path, '<project>'),
  ).toMatchInlineSnapshot(`
    "✗ tests/bad.test.yaml (3 tests) 1 failed, 1 errored, 1 skipped
    ✓ tests/good.test.yaml (1 test)

    FAIL greets

      tests/bad.test.yaml:4:20
        2 |   input: hello
        3 |   assert:
      > 4 |     output.equals: Hello!
          |                    ^^^^^^
        5 | - id: books
      output.equals: expected "Hello!", got "You said hello"

      input:  hello
      output: You said hello

      rerun: assay run tests/bad.test.yaml:1 --agent ./agent.mjs

    ERROR books

      tests/bad.test.yaml:5:3
        3 |   assert:
        4 |     output.equals: Hello!
      > 5 | - id: books
          |   ^^^^^^^^^
        6 |   input: crash
      agent error: the agent threw TypeError: flights is not iterable
            at agent (agent.mjs:2:36)

      input:  crash

      rerun: assay run tests/bad.test.yaml:5 --agent ./agent.mjs

    Tests  1 failed, 1 errored, 1 passed, 1 skipped (4)
    Time
    Run    <run>
    Found  1 error; files with errors do not run
    ::error file=tests/typo.test.yaml,line=2,col=10,title=Assay%3A unknown_assertion::unknown assertion \`output.contians\`%0Ahint: the keys are \`output.includes\`, \`output.not_includes\`, \`output.matches\`, \`output.not_matches\`, \`output.equals\`, \`output.not_equals\`, \`tools_used\`, \`tools_used.includes\`, \`tools_used.excludes\`, \`tools_used.in_order\`, \`approvals_asked\`, \`approvals_asked.includes\`, \`approvals_asked.excludes\` and \`memory.<path>\`
    ::error file=tests/bad.test.yaml,line=4,col=20,title=greets failed::line 4: output.equals: expected "Hello!", got "You said hello"
    ::error file=tests/bad.test.yaml,line=5,col=3,title=books could not be measured::line 5: agent error: the agent threw TypeError: flights is not iterable
    Report junit.xml (junit)
    "
  `);
  expect(stderr).toMatchInlineSnapshot(`
    "tests/typo.test.yaml:2:10 error unknown assertion \`output.contians\` (unknown_assertion)
      1 | input: hello
    > 2 | assert: {output.contians: hello}
        |          ^^^^^^^^^^^^^^^
      hint: the keys are \`output.includes\`, \`output.not_includes\`, \`output.matches\`, \`output.not_matches\`, \`output.equals\`, \`output.not_equals\`, \`tools_used\`, \`tools_used.includes\`, \`tools_used.excludes\`, \`tools_used.in_order\`, \`approvals_asked\`, \`approvals_asked.includes\`, \`approvals_asked.excludes\` and \`memory.<path>\`

    "
  `);
});

test('the name of a file that cannot be read, or that a report is written to, starts no command', async () => {
  const name = 'x\u001b[31m\n::error::y';
  const named = createProject({
    'a.test.yaml': 'input: hi\nassert: { output.includes: hi }\n',
    [`${name}.test.yaml`]: 'a: [',
  });
  for (const reporter of [['junit'], ['terminal', '--reporter', `tap=${name}.tap`]]) {
    const args = ['run', '--agent', 'cmd: echo hi', '--reporter', ...reporter];
    const { stdout, stderr } = await runCli(args, { cwd: named.path });
    expect(stdout + stderr).toContain('error::y');
    // eslint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/^::error|\u001b/m);
  }
  named.remove();
});
