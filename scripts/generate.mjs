// Writes the generated files: schema/*.json and docs/reference from the schemas and tables of the source, the list of bundled
// packages with licenses, and the list of what is in which chunk.
// With --check it writes nothing and fails when a file is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { chunkList } = await jiti.import('./chunk-list.ts');
const { sbom } = await jiti.import('./sbom.ts');
const { sharedSchemaText } = await jiti.import('./share-definitions.ts');
const { thirdPartyNotices } = await jiti.import('./third-party-notices.ts');
const { editorSchemas } = await jiti.import('../src/suites/config/editor-schemas.ts');
const { recordJsonSchema } = await jiti.import('../src/runs/journal/record-schema.ts');
const { baselineJsonSchema } = await jiti.import('../src/runs/compare/baseline-schema.ts');
const { reportJsonSchema } = await jiti.import('../src/api/report/report-schema.ts');
const { cliPage } = await jiti.import('./reference/cli.ts');
const { configPage } = await jiti.import('./reference/config.ts');
const { evaluatorPage } = await jiti.import('./reference/evaluators.ts');
const { fileFormats } = await jiti.import('./reference/file-formats.ts');
const { jsonOutputPage } = await jiti.import('./reference/json-output.ts');
const { libraryPage } = await jiti.import('./reference/library-api.ts');
const { withRegions } = await jiti.import('./reference/regions.ts');

const schemas = {
  ...editorSchemas(),
  record: recordJsonSchema(),
  report: reportJsonSchema(),
  baseline: baselineJsonSchema(),
};
const outputs = Object.entries(schemas).map(([name, schema]) => [
  `schema/${name}.schema.json`,
  sharedSchemaText(schema),
]);
outputs.push(
  ['docs/reference/cli.md', cliPage()],
  ['docs/reference/config.md', configPage()],
  ['docs/reference/evaluators.md', evaluatorPage()],
  ['docs/reference/file-formats.md', fileFormats()],
  ['docs/reference/json-output.md', jsonOutputPage()],
  ['docs/reference/library-api.md', libraryPage()],
  ...['environment', 'exit-codes'].map((name) => [
    `docs/reference/${name}.md`,
    withRegions(`docs/reference/${name}.md`),
  ]),
  ['scripts/chunks.txt', await chunkList()],
  ['THIRD-PARTY-NOTICES.md', thirdPartyNotices()],
  ['sbom.cdx.json', `${JSON.stringify(sbom(), null, 2)}\n`],
);

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of outputs) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  stale++;
  if (isCheck) console.error(`${path} is stale: run \`npm run generate\``);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
if (isCheck && stale > 0) process.exit(1);
