import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI, createProject, startCli, userEnvironment } from '../project.ts';
import { effort } from '../effort.ts';

/** Kills at random moments, each followed by the next start: nothing is left, and what was set up is torn down. */
test(
  'after a kill at any moment, the next start leaves no workspace, no process and no half teardown',
  { timeout: 3_600_000 },
  async () => {
    const project = createProject({
      'assay.config.yaml': 'targets: [{ name: agent, command: [sh, agent.sh] }]\nscripts: { env: [LOG] }\n',
      'shop/a.txt': 'a\n',
      // A daemon that leaves its group, in each workspace.
      'agent.sh': `cat > /dev/null; setsid sh -c 'while true; do sleep 0.2; done' < /dev/null > /dev/null 2>&1 & echo '{"output": "done"}'`,
      'suite.eval.yaml': `workspace: { template: ./shop, git: fresh }
setup: [sh, -c, "echo s > prepared"]
teardown: [sh, -c, "echo half >> $LOG/torn; echo $PWD >> $LOG/torn; echo end >> $LOG/torn"]
evalcases:
  - id: one
    input: go
    setup: [sh, -c, "echo $PWD >> $LOG/set-up"]
    evaluators: [{ type: files, path: a.txt, exists: true }]
  - id: two
    input: go
    setup: [sh, -c, "echo $PWD >> $LOG/set-up"]
    evaluators: [{ type: command, command: [cat, prepared] }]
`,
      'empty.eval.yaml': `evalcases:
  - { id: t, input: go, evaluators: [{ type: contains, value: done }] }
`,
    });
    const tmp = join(project.path, 'tmp');
    mkdirSync(tmp);
    const env = { TMPDIR: tmp, LOG: project.path };
    const linesOf = (name: string): readonly string[] =>
      existsSync(join(project.path, name))
        ? readFileSync(join(project.path, name), 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [];
    const runOnce = () => startCli(['run', 'suite.eval.yaml', '--allow-scripts'], { cwd: project.path, env });
    try {
      const start = performance.now();
      const first = await runOnce();
      expect(first.stdout + first.stderr).toContain('2 passed');
      const tookMs = performance.now() - start;
      for (let round = 0; round < effort({ short: 2, long: 500 }); round++) {
        const child = spawn(process.execPath, [CLI, 'run', 'suite.eval.yaml', '--allow-scripts'], {
          cwd: project.path,
          env: userEnvironment(env),
          stdio: 'ignore',
        });
        const ended = new Promise((resolve) => child.once('exit', resolve));
        // A moment of the whole run: which one is of no matter to the test.
        const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * tookMs);
        await ended;
        clearTimeout(timer);
        const next = await startCli(['run', 'empty.eval.yaml', '--allow-scripts'], {
          cwd: project.path,
          env,
        });
        expect(next.exitCode, next.stderr).toBe(0);
        const store = join(
          tmp,
          readdirSync(tmp).find((name) => name.startsWith('assay-workspaces-'))!,
        );
        expect(readdirSync(store), `round ${round}`).toEqual([]);
        expect(processesIn(tmp), `round ${round}`).toEqual([]);
        const torn = linesOf('torn');
        for (const place of new Set(linesOf('set-up'))) expect(torn, `round ${round}`).toContain(place);
        // Each that began again after a kill also came to its end.
        expect(torn.at(-1) ?? 'end').toBe('end');
      }
    } finally {
      project.remove();
    }
  },
);

/** Live processes that work in a folder. */
function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readlinkSync(`/proc/${id}/cwd`).startsWith(`${folder}/`);
      } catch {
        return false;
      }
    });
}
