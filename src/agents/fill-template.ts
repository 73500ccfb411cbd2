import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isJsonObject } from '../model/json.ts';
import { contentOf } from '../model/message.ts';
import type { AgentRequest } from '../model/reply.ts';
import { fillHoles } from './template-holes.ts';
import { quoteForShell } from '../processes/quote-for-shell.ts';

interface TemplateValues {
  readonly request: AgentRequest;
  readonly outputFile: string;
  readonly filesFormat?: string | undefined;
}

/** The line for the shell: every value is quoted. */
export function fillTemplate(
  template: string,
  { request, outputFile, filesFormat = '{path}' }: TemplateValues,
): string {
  const files = inputFiles(request).map((path) =>
    filesFormat
      .replaceAll('{path}', quoteForShell(path))
      .replaceAll('{basename}', quoteForShell(basename(path))),
  );
  return fillHoles(template, {
    PROMPT: quoteForShell(request.input),
    GUIDELINES: quoteForShell(''),
    EVAL_ID: quoteForShell(request.test.id),
    ATTEMPT: quoteForShell(String(request.attempt - 1)),
    FILES: files.join(' '),
    OUTPUT_FILE: quoteForShell(outputFile),
  });
}

function inputFiles({ input_messages, test }: AgentRequest): readonly string[] {
  const parts = input_messages.flatMap((message) => {
    const content = contentOf(message);
    return Array.isArray(content) ? content : [];
  });
  const paths = parts.flatMap((part) =>
    isJsonObject(part) && part['type'] === 'file' && typeof part['value'] === 'string' ? [part['value']] : [],
  );
  return [...new Set(paths.map((path) => findUpward(path, resolve(dirname(test.file)))))];
}

/** As the loader finds it: beside the suite, else in a folder above. */
function findUpward(path: string, folder: string): string {
  for (let current = folder; current !== dirname(current); current = dirname(current)) {
    if (existsSync(resolve(current, path))) return resolve(current, path);
  }
  return resolve(folder, path);
}
