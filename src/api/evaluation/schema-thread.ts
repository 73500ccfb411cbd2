import { parentPort } from 'node:worker_threads';
import { compileJsonSchema, type CompiledSchema } from '../../checks/json-schema.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { SchemaRequest, SchemaResponse } from './schema-checker.ts';

/** The thread behind SchemaChecker. A suite has few schemas and many outputs, so compiled schemas are kept. */
const KEPT_SCHEMAS = 100;
const compiled = new Map<string, Promise<CompiledSchema>>();

parentPort!.on('message', ({ schema, output }: SchemaRequest) => {
  void respond(schema, output).then((response) => parentPort!.postMessage(response));
});

async function respond(schema: string, output: string): Promise<SchemaResponse> {
  try {
    const check = await compile(schema);
    return { check: check(JSON.parse(output)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function compile(schema: string): Promise<CompiledSchema> {
  let found = compiled.get(schema);
  if (found === undefined) {
    if (compiled.size >= KEPT_SCHEMAS) compiled.clear();
    compiled.set(schema, (found = compileJsonSchema(JSON.parse(schema) as JsonObject)));
  }
  return found;
}
