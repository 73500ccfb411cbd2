import type { Finding } from '../../base/model/finding.ts';
import type { ForeignFile } from '../../suites/convert/contract.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';

/** What the code of another tool imports, whose it is, and how its tests become a file that can be converted. */
const TOOLS: readonly (readonly [RegExp, string, string])[] = [
  [
    /deepeval/,
    'DeepEval',
    'save its goldens, `dataset.save_as(file_type="json", directory=".")`, and convert that file',
  ],
  [
    /langsmith/,
    'LangSmith',
    'export the dataset, in the app or with `client.list_examples`, as JSON with `inputs` and `outputs`, and convert that file',
  ],
  [
    /inspect_ai/,
    'Inspect',
    'write its samples as JSON lines with `input` and `target`, and convert that file',
  ],
  [/\bevals\b/, "OpenAI's evals", 'convert its samples, a .jsonl file, or the registry file that names them'],
  [/promptfoo/, 'promptfoo', 'write the config as promptfooconfig.yaml, and convert that file'],
];

/** Code is not executed to be converted. Undefined: this is not code. */
export function codeFinding({ path, text }: ForeignFile): Finding | undefined {
  if (!/\.(?:py|ipynb|[cm]?[jt]s)$/i.test(path)) return undefined;
  const imports = text.split('\n').filter((line) => /\b(?:import|from|require)\b/.test(line));
  const [, tool, hint] = TOOLS.find(([name]) => imports.some((line) => name.test(line))) ?? [];
  const whose = tool === undefined ? '' : ` of ${tool}`;
  const message = `this is code${whose}, and code cannot be converted`;
  return fileFinding(
    path,
    'code_file',
    message,
    hint ?? 'convert the file with its data: .yaml, .json, .jsonl or .csv',
  );
}
