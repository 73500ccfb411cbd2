import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const RUNTIME = 'exports.jsx = exports.jsxs = (type, { children }) => `<${type}>${children}</${type}>`;';

async function outputOf(files: Readonly<Record<string, string>>, agent: string, cwd = '.') {
  const project = createProject({
    'a.test.yaml': '- { id: a, input: x, assert: { output.includes: "" } }',
    ...files,
  });
  const args = ['run', '--agent', agent, '--reporter', 'json', '--no-record'];
  const { stdout, stderr } = await runCli([...args, project.path], { cwd: join(project.path, cwd) });
  project.remove();
  const { results } = JSON.parse(stdout || '{"results":[]}');
  return results[0]?.steps[0]?.output ?? stderr + JSON.stringify(results[0]?.error);
}

test('`paths` of a tsconfig with comments and `extends`, and enums, work', async () => {
  const output = await outputOf(
    {
      'tsconfig.json': '{ "extends": ["@team/base", "./config/more"] /* two */, }',
      'config/more.json':
        '{ // with a URL: "http://x"\n "compilerOptions": { "paths": { "@/*": ["../src/*",] } } }',
      'node_modules/@team/base/package.json': '{ "name": "@team/base" }',
      'node_modules/@team/base/tsconfig.json': '{ "compilerOptions": { "strict": true } }',
      'src/words.ts': 'export enum Word { Hello = "hello" }',
      'agents/agent.ts': `import { Word } from '@/words';\nexport const agent = (): string => Word.Hello;`,
    },
    './agents/agent.ts',
  );
  expect(output).toBe('hello');
});

test('baseUrl works, and a package of the same name does not hide the file', async () => {
  const output = await outputOf(
    {
      'tsconfig.json': '{ "compilerOptions": { "baseUrl": "./src" } }',
      'src/words.ts': 'export const word: string = "of the project";',
      'node_modules/words/package.json': '{ "name": "words", "main": "i.js" }',
      'node_modules/words/i.js': 'exports.word = "of the package";',
      'agent.ts': `import { word } from 'words';\nexport const agent = () => word;`,
    },
    './agent.ts',
  );
  expect(output).toBe('of the project');
});

test('a tsconfig above the project is not read', async () => {
  const output = await outputOf(
    {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "words": ["./words.ts"] } } }',
      'words.ts': 'export const word = "from above";',
      'inner/assay.config.yaml': '{}',
      'inner/agent.ts': `import { word } from 'words';\nexport const agent = () => word;`,
    },
    './agent.ts',
    'inner',
  );
  expect(output).toMatch(/cannot be loaded|Cannot find/);
});

test('.tsx and .jsx work, with the JSX setting of the tsconfig', async () => {
  const files = {
    'node_modules/react/package.json': '{ "name": "react" }',
    'node_modules/react/jsx-runtime.js': RUNTIME,
    'node_modules/other/package.json': '{ "name": "other" }',
    'node_modules/other/jsx-runtime.js': RUNTIME.replace('`<', '`other <'),
    'plain/agent.jsx': 'export const agent = () => <b>hi</b>;',
    'typed/agent.tsx':
      'import { Bold } from "./bold.tsx";\nexport const agent = (input: string) => Bold(input);',
    'typed/bold.tsx': 'export const Bold = (text: string): string => <b>{text}</b>;',
    'typed/tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "other" } }',
    'classic/agent.tsx':
      'const h = (type: string, _: object, text: string) => type + text;\nexport const agent = () => <b>hi</b>;',
    'classic/tsconfig.json': '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h" } }',
  };
  expect(await outputOf(files, './plain/agent.jsx')).toBe('<b>hi</b>');
  expect(await outputOf(files, './typed/agent.tsx')).toBe('other <b>x</b>');
  expect(await outputOf(files, './classic/agent.tsx:agent')).toBe('bhi');
});
