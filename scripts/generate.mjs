// Writes what is generated from the schemas: schema/*.json and the tables of docs/reference.md.
// With --check it writes nothing and fails when a file is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { publishedSchemas } = await jiti.import('../src/load/published-schemas.ts');
const { referenceTables } = await jiti.import('../src/load/reference-tables.ts');

const outputs = Object.entries(publishedSchemas()).map(([name, schema]) => [
  `schema/${name}.schema.json`,
  `${JSON.stringify(schema, null, 2)}\n`,
]);
outputs.push(['docs/reference.md', referenceTables()]);

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of outputs) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  stale++;
  if (isCheck) console.error(`${path} is stale: run \`npm run generate\``);
  else {
    mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
if (isCheck && stale > 0) process.exit(1);
