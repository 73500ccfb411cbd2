import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { effort } from '../effort.ts';
import { installGroup } from '../frameworks/install-group.ts';
import { createProject, startCli } from '../project.ts';
import { MODULE_FORMS, PACKAGES, type PackageType } from './module-forms.ts';

/** This Node, and in full also those that strip types. */
const nodes = effort({ short: [undefined], long: [undefined, 'n22', 'n24'] });

const TYPES: readonly PackageType[] = ['commonjs', 'module', 'none'];

const SUITE = ['a', 'b']
  .map((id) => `- { id: ${id}, input: ${id}, assert: { output.includes: " " } }`)
  .join('\n');

describe.each(nodes)('Node %s', (name) => {
  test.each(
    TYPES.flatMap((type) => [
      ...(name === undefined ? [{ type, place: "Assay's process", every: 1 }] : []),
      // They load files with the same code, and each file of each form has a process.
      { type, place: 'hosts', every: effort({ short: 8, long: 1 }) },
    ]),
  )(
    'in a package of type $type, agents of every form load in $place, anew for each test file',
    async ({ type, place, every }) => {
      const forms = Object.entries(MODULE_FORMS)
        .filter(([, { types = [type] }]) => types.includes(type))
        .filter((_, index) => index % every === 0);
      const targets = forms.map(([form, { files }], index) => ({
        name: form,
        agent: `./form-${index}/${Object.keys(files)[0]}`,
      }));
      const project = createProject({
        ...PACKAGES,
        'package.json': type === 'none' ? '{}' : JSON.stringify({ type }),
        'assay.config.json': JSON.stringify({ targets }),
        '1.test.yaml': SUITE,
        '2.test.yaml': SUITE,
        ...Object.fromEntries(
          forms.flatMap(([, { files }], index) =>
            Object.entries(files).map(([file, text]) => [`form-${index}/${file}`, text] as const),
          ),
        ),
      });
      onTestFinished(() => project.remove());
      const node = name && join(await installGroup('nodes'), `node_modules/${name}/bin/node`);
      const args = [
        'run',
        '--target',
        targets.map((each) => each.name).join(','),
        '--reporter',
        'json',
        '--no-record',
      ];
      const env = { ASSAY_ISOLATE: `${place === 'hosts'}` };
      const { stdout, stderr } = await startCli(args, { cwd: project.path, node, env });
      expect(stderr).toBe('');
      const results: Result[] = JSON.parse(stdout).results;
      const outputs = forms.map(([form, { isShared }]) => {
        const ofForm = results.filter(({ target }) => target === form);
        const said = ofForm.map(({ steps, error }) => error?.message ?? steps[0]!.output);
        return [form, isShared === true ? said.slice(0, 2) : said];
      });
      const expected = forms.map(([form, { says = 'yes', isShared }]) => [
        form,
        (isShared === true ? [1, 2] : [1, 2, 1, 2]).map((count) => `${says} ${count}`),
      ]);
      expect(Object.fromEntries(outputs)).toEqual(Object.fromEntries(expected));
    },
  );
});

/** What a config, evaluators and a reporter are, in each kind of file. */
const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

function moduleOf(extension: string, value: string, imported = ''): string {
  const typed = /ts/.test(extension) ? 'enum Kind { A }\nconst kind: Kind = Kind.A;\n' : '';
  return extension === 'cjs'
    ? `module.exports = ${value};\n`
    : `${imported}${typed}export default ${value};\n`;
}

describe.each(nodes)('Node %s', (name) => {
  test.each(
    TYPES.flatMap((type) =>
      effort({ short: EXTENSIONS.slice(0, 1), long: EXTENSIONS }).map(
        (extension) => [type, extension] as const,
      ),
    ),
  )('in a package of type %s, a config, evaluators and a reporter in .%s load', async (type, extension) => {
    const checks = EXTENSIONS.map((each) => `checks.${each}`);
    const project = createProject({
      'package.json': type === 'none' ? '{}' : JSON.stringify({ type }),
      'agent.ts': `export const agent = (): string => 'hi';\n`,
      'words.ts': `export const agent: string = './agent.ts';\n`,
      [`assay.config.${extension}`]: moduleOf(
        extension,
        `{ agent: ${extension === 'cjs' ? `'./agent.ts'` : 'agent'}, evaluators: ${JSON.stringify(checks.map((file) => `./${file}`))} }`,
        `import { agent } from './words';\n`,
      ),
      ...Object.fromEntries(
        EXTENSIONS.map((each) => [
          `checks.${each}`,
          moduleOf(each, `{ name: 'is-${each}', evaluate: () => ({ score: 1 }) }`),
        ]),
      ),
      [`reporter.${extension}`]: moduleOf(
        extension,
        `({ write }) => ({ onResult: ({ verdict, steps }) => write([verdict, ...steps[0].assertions.map(({ kind }) => kind.slice(3))].join(' ')) })`,
      ),
      'a.eval.yaml': `tests:\n  - { id: a, input: x, assertions: [${EXTENSIONS.map((each) => `{ type: is-${each} }`).join(', ')}] }\n`,
    });
    onTestFinished(() => project.remove());
    const node = name && join(await installGroup('nodes'), `node_modules/${name}/bin/node`);
    const args = ['run', '--reporter', `./reporter.${extension}`, '--no-record'];
    const { stdout, stderr } = await startCli(args, { cwd: project.path, node });
    expect([stderr, stdout]).toEqual(['', `passed ${EXTENSIONS.join(' ')}`]);
  });
});

interface Result {
  readonly target: string;
  readonly steps: readonly { readonly output: string }[];
  readonly error?: { readonly message: string };
}
