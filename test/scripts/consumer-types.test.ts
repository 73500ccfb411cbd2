import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { installGroup } from '../frameworks/install-group.ts';
import { createProject } from '../project.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const call = promisify(execFile);

/** Uses every module, and has mistakes that only real types notice. */
const PROJECT = {
  'package.json': '{ "private": true, "type": "module" }',
  'main.ts': `
import { defineConfig, defineEvaluator, loadYaml, parseSuite, run, type AgentFunction, type RunResult } from 'assay';

const agent: AgentFunction = (input) => input.length;
export const config = defineConfig({ targets: [{ name: 'a', url: 'http://127.0.0.1:8000' }], workers: 2 });
// @ts-expect-error A config has no such key.
defineConfig({ target: [] });
// @ts-expect-error The url of a target is a string.
defineConfig({ targets: [{ name: 'a', url: 5 }] });
export const result: RunResult = await run({ paths: ['a.test.yaml'], agent });
export const passed: number = result.summary.passed;
// @ts-expect-error This is a number.
export const words: string = result.summary.passed;
export const values = [loadYaml('a: 1', { scalars: 'core' }), parseSuite({ path: 'a.test.yaml', text: '' }).findings[0]?.code, defineEvaluator];
`,
  'judge.ts': `
import { CodeJudgeInputSchema, createTargetClient, defineCodeJudge, z } from 'assay/judge';

defineCodeJudge(({ candidate_answer: answer }) => ({ score: answer === '' ? 0 : 1, hits: [], misses: [] }));
// @ts-expect-error A score is a number.
defineCodeJudge(() => ({ score: 'good', hits: [], misses: [] }));
const schema = z.object({ city: z.string() });
const weather: z.infer<typeof schema> = schema.parse({});
export const city: string = weather.city;
// @ts-expect-error The schema has no such field.
weather.town;
export const question: string = CodeJudgeInputSchema.parse({}).question;
export const client = createTargetClient();
`,
  'pattern.ts': `
import { compile, search } from 'assay/python-re';

export const start: number | undefined = search(compile('a+'), 'caat')?.start;
// @ts-expect-error A pattern is a string.
compile(5);
`,
  'suite.ts': `
import { assaySuite } from 'assay/vitest';

assaySuite(['a.test.yaml', new URL('b.test.yaml', import.meta.url)], { repeats: 2 });
// @ts-expect-error Only a command line can resume.
assaySuite('a.test.yaml', { resume: 'x' });
`,
};

let project: ReturnType<typeof createProject>;
beforeAll(async () => {
  project = createProject(PROJECT);
  await call('npm', ['pack', '--ignore-scripts', '--pack-destination', project.path], { cwd: ROOT });
  const args = ['install', '--offline', '--ignore-scripts', './assay-0.1.0.tgz'];
  await call('npm', args, { cwd: project.path });
  // Its own packages: vitest is an optional peer.
  for (const name of ['vitest', '@types/node']) {
    const link = join(project.path, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
}, 120_000);
afterAll(() => project.remove());

const COMPILERS = effort({
  short: [['TypeScript 7', () => ROOT]] as const,
  long: [
    ['TypeScript 7', () => ROOT],
    ['TypeScript 5', () => installGroup('typescript5')],
  ] as const,
});
const RESOLUTIONS = effort({
  short: [{ module: 'nodenext', types: [] }],
  long: [
    { module: 'nodenext', types: [] },
    { module: 'nodenext', types: ['node'] },
    { module: 'esnext', moduleResolution: 'bundler', types: [], exactOptionalPropertyTypes: true },
  ],
});

test.each(COMPILERS)('%s compiles a project that checks our declarations too', async (_name, folder) => {
  const tsc = join(await folder(), 'node_modules/typescript/bin/tsc');
  for (const resolution of RESOLUTIONS) {
    const compilerOptions = {
      target: 'es2022',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      ...resolution,
    };
    const text = JSON.stringify({ compilerOptions, files: Object.keys(PROJECT).slice(1) });
    writeFileSync(join(project.path, 'tsconfig.json'), text);
    const { stdout } = await call(process.execPath, [tsc, '--pretty', 'false'], { cwd: project.path }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(stdout, text).toBe('');
  }
});
