import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createAttemptRunner } from '../../src/api/worker/attempt-runner.ts';
import type { RunDescription } from '../../src/runs/journal/run-directory.ts';
import { hashFile } from '../../src/base/files/hash-file.ts';
import { PROTOCOL, type RunOffer } from '../../src/run/queue/protocol.ts';
import { Refusal } from '../../src/run/queue/run-member.ts';
import { version } from '../../src/base/system/version.ts';
import { createUserProject, evalFile, run } from './records.ts';

const home = process.cwd();
const project = createUserProject({
  'assay.config.yaml': 'agent: ./agent.mjs\nevaluators: ./checks.mjs\n',
  'checks.mjs': 'export const says = { evaluate: ({ word }, { output }) => output.includes(word) };\n',
  'a.eval.yaml': evalFile({ own: [{ type: 'says', word: 'hi' }] }),
});
afterAll(() => {
  vi.unstubAllEnvs();
  process.chdir(home);
  project.remove();
});

test('a worker uses the evaluators of its own checkout and refuses others', async () => {
  // What this process has not loaded may change while it runs.
  vi.stubEnv('ASSAY_ISOLATE', 'true');
  const { records } = await run(project.path);
  const { id, file, line, target, repeat, fingerprint } = records[0]!;
  const [folder] = readdirSync(join(project.path, '.assay', 'runs'));
  const description = readFileSync(join(project.path, '.assay', 'runs', folder!, 'run.json'), 'utf8');
  const { files } = JSON.parse(description) as RunDescription;
  process.chdir(project.path);
  const code = Object.fromEntries(
    ['assay.config.yaml', 'agent.mjs', 'checks.mjs'].map((name) => [name, hashFile(name)]),
  );
  const offer: RunOffer = {
    protocol: PROTOCOL,
    version,
    run_id: 'r',
    owner: 'o',
    cwd: '',
    code,
    agents: [{ file, target }],
    settings: { threshold: 0.8, timeout_ms: 60_000, use_cache: false },
    lost_after_ms: 1000,
    beat: 1,
    beat_at: '',
  };
  const make = async (): Promise<string> => {
    const runner = await createAttemptRunner(offer, { secrets: [], onAccept: () => {} });
    if (runner instanceof Refusal) return runner.message;
    try {
      const reference = { id, file, line, test: 'own', target, repeat, fingerprint };
      const hashes = { [file]: files[0]!.hash };
      return (await runner.make(reference, hashes, new AbortController().signal)).record.verdict;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.message;
    } finally {
      await runner.close();
    }
  };
  expect(await make()).toBe('passed');
  writeFileSync('checks.mjs', 'export const says = { evaluate: () => true };\n');
  expect(await make()).toMatch(/the code differs from where the run was started \(checks\.mjs differs\)/);
  code['checks.mjs'] = hashFile('checks.mjs');
  expect(await make()).toMatch(
    /the test "own" of a\.eval\.yaml, or its target, differs .* the files that it and the test name/,
  );
  writeFileSync('checks.mjs', 'throw new Error("broken here");\n');
  code['checks.mjs'] = hashFile('checks.mjs');
  expect(await make()).toMatch(/^assay\.config\.yaml:2: .*broken here/);
});
