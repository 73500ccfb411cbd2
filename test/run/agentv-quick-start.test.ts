import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createProject, runCli, type Project } from '../project.ts';
import { useModelServers } from '../servers/use-model-servers.ts';

let project: Project | undefined;
afterEach(() => project?.remove());
const startServer = useModelServers();

/** What a project has after the quick start of AgentV 4: nothing in it is about Assay. */
const FILES = {
  '.agentv/targets.yaml': `targets:
  - name: default
    provider: azure
    endpoint: \${{ AZURE_OPENAI_ENDPOINT }}
    api_key: \${{ AZURE_OPENAI_API_KEY }}
    model: \${{ AZURE_DEPLOYMENT_NAME }}
  - name: local
    provider: cli
    judge_target: default
    command: uv run ./mock_cli.py --prompt {PROMPT} {FILES} --output {OUTPUT_FILE}
    cwd: \${{ CLI_EVALS_DIR }}
`,
  'evals/code.yaml': `description: Code generation quality
tests:
  - id: fizzbuzz
    criteria: Write a correct FizzBuzz implementation
    input: Write FizzBuzz in Python
    assertions:
      - type: contains
        value: "fizz"
      - type: code-grader
        command: ./validators/check.mjs
      - type: llm-grader
        prompt: ./graders/correctness.md
`,
  'evals/graders/correctness.md': 'Is this right?\\n{{ input }}\\n{{ output }}\\n',
  'evals/validators/check.mjs': '#!/usr/bin/env node\nconsole.log(JSON.stringify({ score: 1 }));\n',
};

const verdict = (score: number): string =>
  JSON.stringify({ reasoning: 'r', evidence: [], hits: [], misses: [], score });

async function run(score: number) {
  const server = await startServer({ text: 'def fizz(): pass' }, { text: verdict(score) });
  const env = `AZURE_OPENAI_ENDPOINT=${server.url}\nAZURE_OPENAI_API_KEY=k\nAZURE_DEPLOYMENT_NAME=gpt-5-mini\n`;
  project = createProject({ ...FILES, '.env': env });
  chmodSync(join(project.path, 'evals/validators/check.mjs'), 0o755);
  const options = ['--allow-scripts', '--reporter', 'json', '--no-cache'];
  const { stdout, stderr, exitCode } = await runCli(['run', 'evals/code.yaml', ...options], {
    cwd: project.path,
  });
  return { printed: stdout + stderr, exitCode, requests: server.requests };
}

test('the quick start of AgentV runs as it is: the model judges itself, with a warning', async () => {
  const { printed, exitCode, requests } = await run(0.9);
  expect(exitCode, printed).toBe(0);
  expect(requests).toHaveLength(2);
  expect(printed).toContain('self_judge');
});

test('a bad verdict of the same model fails it', async () => {
  const { exitCode, printed } = await run(0);
  expect(exitCode, printed).toBe(1);
});

test('outside of a folder `.agentv`, nothing judges itself', async () => {
  const { '.agentv/targets.yaml': targets, ...others } = FILES;
  project = createProject({ ...others, 'targets.yaml': targets });
  const { stdout } = await runCli(['validate', 'evals/code.yaml'], { cwd: project.path });
  expect(stdout).toContain('no judge is configured');
});
