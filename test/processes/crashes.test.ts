import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createProject, startCli } from '../project.ts';
import { recordedTests, runFolders } from '../run-folders.ts';
import { trackProcesses } from '../track-processes.ts';
import { createProbe, type Probe } from './probe.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** The interpreter itself: a wrapper on the PATH may be slow to start. */
const PYTHON = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim();

/** Crashes in the ways there are, one after the other; the last test is answered. */
const AGENTS: Record<string, string> = {
  'agent.sh': `
read -r request
case "$request" in
  *'"input":"last"'*) echo last;;
  *'"input":"0"'*) exit 3;;
  *'"input":"1"'*) kill -9 $$;;
  *'"input":"2"'*) echo '{"output": "half'; exit 1;;
  *) echo broken >&2; kill -SEGV $$;;
esac`,
  'agent.py': `
import os, signal, sys
def agent(input_text, memory):
    if input_text == 'last': return 'last'
    if input_text == '0': os._exit(3)
    if input_text == '1': os.kill(os.getpid(), signal.SIGKILL)
    if input_text == '2': os.closerange(3, 10); os._exit(0)
    os.abort()
`,
};

const CRASHES = effort({ short: 40, long: 200 });

interface CrashedRun {
  readonly probe: Probe;
  readonly summary: unknown;
  readonly recorded: readonly string[];
  readonly orphans: readonly string[];
}

async function crash(agent: string, times: number): Promise<CrashedRun> {
  const inputs = Array.from({ length: times }, (_, index) => String(index % 4));
  const suite = [...inputs, 'last'].map(
    (input, index) => `- {id: t${index}, input: "${input}", assert: {output.includes: last}}\n`,
  );
  const project = createProject({ 'suite.test.yaml': suite.join(''), ...AGENTS });
  cleanUps.push(() => project.remove());
  const probe = createProbe(project.path);
  const tracked = trackProcesses();
  const { stdout } = await startCli(['run', '--agent', agent, '--workers', '2', '--reporter', 'json'], {
    cwd: project.path,
    env: { ...probe.env, ...tracked.env, ASSAY_PYTHON: PYTHON },
  });
  return {
    probe: probe.read(),
    summary: (JSON.parse(stdout) as { summary: unknown }).summary,
    recorded: recordedTests(runFolders(project.path)[0]!),
    orphans: await tracked.orphans(),
  };
}

describe.each([
  ['programs', 'cmd: sh agent.sh'],
  ['Python agents', 'agent.py'],
])('%s', (_, agent) => {
  test('after many crashes in a row the run is healthy, and no file, listener or process is left', async () => {
    const few = await crash(agent, 8);
    const many = await crash(agent, CRASHES);
    expect(many.summary).toMatchObject({ tests: CRASHES + 1, error: CRASHES, passed: 1 });
    expect(many.recorded).toHaveLength(CRASHES + 1);
    expect(many.orphans).toEqual([]);
    expect(many.probe.openFiles).toBeLessThanOrEqual(few.probe.openFiles);
    expect(many.probe.listeners).toBeLessThanOrEqual(few.probe.listeners);
    expect(many.probe.warnings).toEqual([]);
  }, 120_000);
});
