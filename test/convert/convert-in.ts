import { join } from 'node:path';
import { expect } from 'vitest';
import { convertFile } from '../../src/api/convert/convert-file.ts';
import type { ConvertRequest } from '../../src/api/convert/conversion.ts';
import { writeOutputs } from '../../src/api/convert/write-outputs.ts';
import { loadSuite } from '../../src/suites/load/load-suites.ts';
import { hasErrors } from '../../src/base/model/finding.ts';
import type { Test } from '../../src/base/model/test.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

interface Converted {
  readonly text: string;
  readonly tests: readonly Test[];
  /** `code line:column message` */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly outputs: readonly { readonly path: string; readonly text: string }[];
}

/** Converts the first of these files, writes the result, and reads it with our own loader. */
export async function convertIn(
  files: Readonly<Record<string, string>>,
  request: Partial<ConvertRequest> = {},
): Promise<Converted> {
  const folder = createTempFolder({ 'package.json': '{}', ...files });
  const to = request.to ?? 'eval';
  const file = join(folder, Object.keys(files)[0]!);
  const name = { eval: 'out.eval.yaml', dataset: 'out.jsonl', steps: 'out.test.yaml' }[to];
  const result = await convertFile({
    options: {},
    allowLoss: false,
    to,
    ...request,
    file,
    out: join(folder, request.out ?? name),
    ...(request.registry === undefined ? {} : { registry: join(folder, request.registry) }),
  });
  const [main] = result.outputs;
  expect(writeOutputs(result.outputs, { isForced: false })).toEqual([]);
  const read = main && (await loadSuite(main.path, folder));
  if (read !== undefined && hasErrors(read.findings)) throw new Error(JSON.stringify(read.findings));
  const lines = (severity: string): readonly string[] =>
    result.findings
      .filter((finding) => finding.severity === severity)
      .map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`);
  return {
    text: main?.text ?? '',
    tests: read?.suite?.tests ?? [],
    errors: lines('error'),
    warnings: lines('warning'),
    outputs: result.outputs.map(({ path, text }) => ({ path: path.slice(folder.length + 1), text })),
  };
}

/** What a test says, in short. */
export function outline({ id, memory, expected_outcome, steps, assertions }: Test): unknown {
  return {
    id,
    ...(memory === undefined ? {} : { memory }),
    ...(expected_outcome === undefined ? {} : { expected_outcome }),
    steps: steps.map(({ input_messages, expected_messages, assertions: checks }) => [
      ...input_messages.map(({ role, content }) => `${role}: ${String(content)}`),
      ...expected_messages.map(({ role, content }) => `${role}: ${String(content)}`),
      ...checks.map(({ kind }) => kind),
    ]),
    ...(assertions.length === 0 ? {} : { checks: assertions.map(({ kind }) => kind) }),
  };
}
