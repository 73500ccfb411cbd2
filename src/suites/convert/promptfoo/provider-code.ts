import type { JsonObject } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import type { ForeignFile } from '../contract.ts';
import { FUNCTION_OF } from './code-checks.ts';
import type { FileReference } from './file-reference.ts';
import { indent, syntaxProblem } from './inline-code.ts';

/** What answers: the prompt itself, or a file with a provider in it. */
export type CodeProvider = 'echo' | { readonly file: FileReference; readonly options: JsonObject };

/** What checks in code see of a provider. */
export interface ProviderNames extends JsonObject {
  readonly id: string;
}

/** The agents that are made of providers in code. A transform of promptfoo changes what they answer. */
export class ProviderCode {
  private readonly scripts: string[] = [];
  private readonly python: string[] = [];
  private readonly transforms = new Map<string, string>();
  private readonly stem: string;
  private readonly fromResult: (path: string) => string;

  constructor(stem: string, fromResult: (path: string) => string) {
    this.stem = stem;
    this.fromResult = fromResult;
  }

  /** The name of a transform in the generated file, or why there is none. */
  transform(
    code: string,
    file: FileReference | undefined,
  ): { readonly name: string } | { readonly why: string } {
    const source = file === undefined ? inlineTransform(code) : { source: this.importTransform(file) };
    if ('why' in source) return source;
    let name = this.transforms.get(source.source);
    if (name === undefined)
      this.transforms.set(source.source, (name = `transform_${this.transforms.size + 1}`));
    return { name };
  }

  get hasTransforms(): boolean {
    return this.transforms.size > 0;
  }

  /** Whether a transform may look at the prompt: one in a file may. */
  get readsPrompt(): boolean {
    return [...this.transforms.keys()].some((code) => /\bprompt\b|functionOf\(/.test(code));
  }

  /** The `agent` of a target. */
  script(provider: CodeProvider, names: ProviderNames, transforms: readonly string[]): string {
    const name = provider === 'echo' ? 'echo' : 'provider';
    const call =
      provider === 'echo'
        ? 'async (prompt) => prompt'
        : `providerOf(() => import(${JSON.stringify(this.fromResult(provider.file.path))}), ${printJson(provider.options)})`;
    const source = `agentOf(${[call, printJson(names), ...transforms].join(', ')})`;
    return this.add(this.scripts, source, name, 'ts');
  }

  pythonProvider({ file, options }: Exclude<CodeProvider, 'echo'>): string {
    const args = [this.fromResult(file.path), file.member ?? 'call_api'].map((each) => JSON.stringify(each));
    // JSON in JSON: Python has other words for true, false and null.
    const source = `_agent(${args.join(', ')}, ${JSON.stringify(printJson(options))})`;
    return this.add(this.python, source, 'provider', 'py');
  }

  get files(): readonly ForeignFile[] {
    const files: ForeignFile[] = [];
    const transforms = [...this.transforms].map(([source, name]) => `\n\nconst ${name} = ${source};`);
    const agents = this.scripts.map((each) => `\n\nexport const ${each}`);
    if (agents.length > 0) {
      const code = [...transforms, ...agents].join('');
      const head = [
        SCRIPT_HEAD,
        ...(code.includes('providerOf(') ? [PROVIDER_OF] : []),
        ...(code.includes('functionOf(') ? [FUNCTION_OF] : []),
      ];
      files.push({ path: `${this.stem}.agents.ts`, text: `${head.join('\n\n')}${code}\n` });
    }
    if (this.python.length > 0)
      files.push({
        path: `${this.stem}.agents.py`,
        text: `${PYTHON_HEAD}${this.python.map((each) => `\n${each}\n`).join('')}`,
      });
    return files;
  }

  private add(all: string[], source: string, name: string, extension: string): string {
    const known = all.find((each) => each.endsWith(` = ${source};`) || each.endsWith(` = ${source}`));
    const own = known?.split(' ')[0] ?? `${name}_${all.length + 1}`;
    if (known === undefined) all.push(`${own} = ${source}${extension === 'ts' ? ';' : ''}`);
    return `./${this.stem}.agents.${extension}:${own}`;
  }

  private importTransform({ path, member }: FileReference): string {
    const name = member === undefined ? '' : `, ${JSON.stringify(member)}`;
    return `async (output, context) =>\n  functionOf(await import(${JSON.stringify(this.fromResult(path))})${name})(output, context)`;
  }
}

function inlineTransform(code: string): { readonly source: string } | { readonly why: string } {
  const body = code.includes('\n') ? code : `return ${code.trim().replace(/;+$/, '')}`;
  const problem = syntaxProblem(body);
  return problem === undefined
    ? { source: `(output, context) => {\n${indent(body, '  ')}\n}` }
    : { why: `its JavaScript cannot be read: ${problem}` };
}

const SCRIPT_HEAD = `// @ts-nocheck
// Providers of a promptfoo config, as agents of Assay.

/** Calls a provider; each transform gets what the one before it returned. */
function agentOf(call, { id, label }, ...transforms) {
  return async (input, memory, { input_messages: messages }) => {
    const isText = messages.length === 1 && messages[0].role === 'user';
    const prompt = isText ? input : JSON.stringify(messages, null, 2);
    const { vars = {}, prompt: template = { raw: prompt, label: prompt } } = memory;
    const answer = await call(prompt, { vars, prompt: { ...template, raw: prompt } });
    const isResponse = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
    const response = isResponse ? answer : { output: answer };
    if (response.error !== undefined && response.error !== null) throw new Error(String(response.error));
    let { output } = response;
    for (const transform of transforms) {
      output = await transform(output, { vars, prompt: template, metadata: response.metadata });
      if (output === undefined || output === null) throw new Error('a transform returned nothing');
    }
    const { tokenUsage, cost } = response;
    return {
      output: typeof output === 'string' ? output : JSON.stringify(output),
      // Checks in code may look at more than the text.
      memory: { ...memory, promptfoo: { ...response, output, provider: { id: call.id?.() ?? id, label } } },
      ...(tokenUsage?.prompt === undefined && tokenUsage?.completion === undefined
        ? {}
        : { token_usage: { input: tokenUsage.prompt ?? 0, output: tokenUsage.completion ?? 0 } }),
      ...(cost === undefined ? {} : { cost_usd: cost }),
    };
  };
}`;

const PROVIDER_OF = `function providerOf(load, options) {
  let provider;
  const call = async (prompt, context) => {
    if (provider === undefined) {
      const module = await load();
      const exported = module.default?.default ?? module.default ?? module;
      provider = typeof exported === 'function' ? new exported(options) : exported;
    }
    return provider.callApi(prompt, context, {});
  };
  return Object.assign(call, { id: () => provider?.id?.() });
}`;

const PYTHON_HEAD = `# Providers of a promptfoo config, as agents of Assay.
import importlib.util
import inspect
import json
import os


def _agent(path, name, options):
    full = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), path))
    loaded = {}

    async def agent(input_text, memory):
        if not loaded:
            spec = importlib.util.spec_from_file_location("promptfoo_provider", full)
            loaded["module"] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(loaded["module"])
        call = getattr(loaded["module"], name)
        answer = call(input_text, json.loads(options), {"vars": memory.get("vars") or {}})
        if inspect.isawaitable(answer):
            answer = await answer
        response = answer if isinstance(answer, dict) else {"output": answer}
        if response.get("error"):
            raise RuntimeError(str(response["error"]))
        output = response.get("output")
        reply = {
            "output": output if isinstance(output, str) else json.dumps(output, ensure_ascii=False),
            "memory": {**memory, "promptfoo": response},
        }
        usage = response.get("tokenUsage") or {}
        if "prompt" in usage or "completion" in usage:
            reply["token_usage"] = {"input": usage.get("prompt") or 0, "output": usage.get("completion") or 0}
        if response.get("cost") is not None:
            reply["cost_usd"] = response["cost"]
        return reply

    return agent

`;
