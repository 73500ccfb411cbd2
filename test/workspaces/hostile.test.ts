import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli, type Project } from '../project.ts';

const projects: Project[] = [];
afterEach(() => {
  for (const each of projects.splice(0)) each.remove();
});

interface Attack {
  /** Lines of shell, which run in the workspace. */
  readonly agent: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly checks: string;
  readonly env?: (path: string) => Readonly<Record<string, string>>;
  readonly prepare?: (path: string) => unknown;
}

async function attack({ agent, files = {}, environment = '{}', checks, env, prepare }: Attack) {
  const project = createProject({
    'assay.config.yaml': 'targets: [{ name: agent, command: [sh, agent.sh] }]\n',
    'agent.sh': `cat > /dev/null\n${agent}\necho '{"output": "done"}'\n`,
    'shop/a.txt': 'a\n',
    'suite.eval.yaml': `workspace: { template: ./shop, git: fresh }
environment: ${environment}
evalcases:
  - id: t
    input: go
    evaluators:
${checks}
`,
    ...files,
  });
  projects.push(project);
  const tmp = join(project.path, 'tmp');
  mkdirSync(tmp);
  prepare?.(project.path);
  const args = ['run', '--allow-scripts', '--reporter', 'json'];
  const { stdout } = await runCli(args, { cwd: project.path, env: { TMPDIR: tmp, ...env?.(project.path) } });
  const [result] = (JSON.parse(stdout) as Report).results;
  return { ...result!, path: project.path };
}

test('settings of git above the workspace start no program when the diff is made', async () => {
  const { verdict, path, error } = await attack({
    agent: `project=$(cd ../../../..; pwd); cd ..; git init -q .
printf "#!/bin/sh\ntouch $project/started; cat" > evil; chmod +x evil
git config core.fsmonitor $PWD/evil; git config filter.x.clean $PWD/evil; git config diff.x.textconv $PWD/evil
git config diff.external $PWD/evil; echo '* filter=x diff=x' > .git/info/attributes
echo b > work/a.txt`,
    checks: '      - { type: diff, only: a.txt, max_lines: 2 }',
  });
  expect(error ?? verdict).toBe('passed');
  expect(existsSync(join(path, 'started'))).toBe(false);
});

test('settings that the agent leaves in its home change no program that checks its work', async () => {
  const { verdict, error, workspace } = await attack({
    agent: `echo 'script-shell=/bin/true' > ~/.npmrc; printf '[alias]\n  verify = !true\n' > ~/.gitconfig; ls -a ~ > home.txt`,
    environment: '{ home: clean }',
    checks: `      - { type: command, command: [npm, test], exit_code: 1 }
      - { type: command, command: [git, verify], exit_code: 1 }
      - { type: files, path: home.txt, contains: .npmrc }`,
    files: { 'shop/package.json': '{ "scripts": { "test": "exit 1" } }' },
  });
  expect(error ?? verdict).toBe('passed');
  expect(workspace!.home).toBe('clean');
});

test('the history of a repository inside of the template is not copied, and neither is a way to it', async () => {
  const { verdict, error } = await attack({
    agent: `cd vendor; git log --all -p > ../log.txt 2>&1; cd ../module; git log --all -p >> ../log.txt 2>&1`,
    checks: `      - { type: files, path: log.txt, matches: start }
      - { type: command, command: [grep, the solution, log.txt], exit_code: 1 }
      - { type: files, path: ["vendor/.git", "module/.git"], absent: true }`,
    files: { 'shop/vendor/sol.txt': 'the solution\n' },
    prepare(project) {
      const vendor = join(project, 'shop/vendor');
      const git = (...args: string[]): unknown =>
        spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: vendor });
      git('init', '--quiet');
      git('add', '.');
      git('commit', '--quiet', '--message=with it');
      writeFileSync(join(vendor, 'sol.txt'), 'nothing\n');
      git('commit', '--quiet', '--all', '--message=without it');
      mkdirSync(join(project, 'shop/module'));
      writeFileSync(join(project, 'shop/module/.git'), `gitdir: ${join(vendor, '.git')}\n`);
    },
  });
  expect(error ?? verdict).toBe('passed');
});

test('an agent that uses git changes its workspace, even where Assay is started by a hook of git', async () => {
  const { verdict, error, path } = await attack({
    agent: `echo b > a.txt; git -c user.name=a -c user.email=a@localhost commit --quiet --all --message=mine; git log --format=%s > log.txt`,
    environment: '{ home: own }',
    checks: `      - { type: files, path: log.txt, equals: "mine\\nstart\\n" }`,
    prepare: (project) => spawnSync('git', ['init', '--quiet', '--bare', 'hooked'], { cwd: project }),
    env: (project) => ({ GIT_DIR: join(project, 'hooked'), GIT_INDEX_FILE: join(project, 'hooked/index') }),
  });
  expect(error ?? verdict).toBe('passed');
  expect(spawnSync('git', ['log', '--all'], { cwd: join(path, 'hooked'), encoding: 'utf8' }).stdout).toBe('');
});
