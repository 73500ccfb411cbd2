import type { ForeignFile } from '../contract.ts';
import type { FileReference } from './file-reference.ts';
import { functionBody, indent, syntaxProblem } from './inline-code.ts';

/** A check in code: inline, or a function of a file. */
export type Code = { readonly inline: string } | { readonly file: FileReference };

/** The evaluators that are made of `javascript` and `python` assertions. The same code is one evaluator. */
export class CodeChecks {
  private readonly modules: Readonly<Record<Language, Map<string, string>>> = {
    mjs: new Map(),
    ts: new Map(),
    py: new Map(),
  };
  private readonly stem: string;
  private readonly fromResult: (path: string) => string;

  constructor(stem: string, fromResult: (path: string) => string) {
    this.stem = stem;
    this.fromResult = fromResult;
  }

  /** The type of the evaluator, or why there is none. */
  script(code: Code): { readonly type: string } | { readonly why: string } {
    if ('file' in code) {
      const { path, member } = code.file;
      const from = JSON.stringify(this.fromResult(path));
      const name = member === undefined ? '' : `, ${JSON.stringify(member)}`;
      const source = `async (output, context) =>\n  functionOf(await import(${from})${name})(output, context)`;
      return { type: this.add(/\.[cm]js$/i.test(path) ? 'mjs' : 'ts', source) };
    }
    const body = functionBody(code.inline);
    const problem = syntaxProblem(body);
    if (problem !== undefined) return { why: `its JavaScript cannot be read: ${problem}` };
    return { type: this.add('mjs', `(output, context) => {\n${indent(body, '  ')}\n}`) };
  }

  python(code: Code): { readonly type: string } {
    const source =
      'inline' in code
        ? `_inline(${JSON.stringify(code.inline)})`
        : `_function(${JSON.stringify(this.fromResult(code.file.path))}, ${JSON.stringify(code.file.member ?? 'get_assert')})`;
    return { type: this.add('py', source) };
  }

  get files(): readonly ForeignFile[] {
    return LANGUAGES.filter((language) => this.modules[language].size > 0).map((language) => ({
      path: this.nameOf(language),
      text:
        language === 'py' ? pythonModule(this.modules.py) : scriptModule(this.modules[language], language),
    }));
  }

  private add(language: Language, source: string): string {
    const checks = this.modules[language];
    let name = checks.get(source);
    if (name === undefined) checks.set(source, (name = `check_${checks.size + 1}`));
    return `./${this.nameOf(language)}#${name}`;
  }

  private nameOf(language: Language): string {
    return `${this.stem}.checks.${language}`;
  }
}

type Language = 'mjs' | 'ts' | 'py';
const LANGUAGES: readonly Language[] = ['mjs', 'ts', 'py'];

function scriptModule(checks: ReadonlyMap<string, string>, language: Language): string {
  const all = [...checks].map(
    ([source, name]) =>
      `\n\nexport const ${name} = {\n  evaluate: grade(${indent(source, '  ').trimStart()}),\n};`,
  );
  const head = [...checks.keys()].some((source) => source.includes('functionOf('))
    ? [SCRIPT_HEAD, FUNCTION_OF]
    : [SCRIPT_HEAD];
  return `${language === 'ts' ? '// @ts-nocheck\n' : ''}${head.join('\n\n')}${all.join('')}\n`;
}

function pythonModule(checks: ReadonlyMap<string, string>): string {
  return `${PYTHON_HEAD}${[...checks].map(([source, name]) => `${name} = ${source}\n`).join('')}`;
}

/** What promptfoo's functions get and return, in the words of Assay. */
const SCRIPT_HEAD = `// Checks of a promptfoo config, as evaluators of Assay. They are plain objects, so that this file also runs where the
// package \`assay\` is not installed; \`defineEvaluator\` of assay would add types.

/** \`vars\`, \`config\`, \`threshold\` and \`scored\` are fields of the evaluator in the suite. */
function grade(check) {
  return async ({ vars = {}, config, threshold, scored = false }, evidence) => {
    const response = evidence.memory.promptfoo ?? {};
    const output = response.output ?? evidence.output;
    const context = {
      vars,
      config,
      prompt: evidence.question,
      test: { vars, description: evidence.test.description, metadata: evidence.test.metadata },
      providerResponse: { cost: evidence.cost_usd, ...response, output },
      metadata: response.metadata,
      provider: response.provider && { ...response.provider, id: () => response.provider.id },
    };
    return toScore(await check(output, context), { threshold, scored });
  };
}

/** promptfoo takes true or false, a number, or {pass, score, reason}. */
function toScore(result, { threshold, scored }) {
  const isNumber = typeof result === 'number';
  const isResult = typeof result?.pass === 'boolean' && typeof result.score === 'number' && typeof result.reason === 'string';
  if (!isNumber && typeof result !== 'boolean' && !isResult)
    throw new Error(\`a check must return true, false, a number or {pass, score, reason}, but returned \${JSON.stringify(result)}\`);
  const pass = isNumber ? (threshold === undefined ? result > 0 : result >= threshold) : (result.pass ?? result);
  const score = isNumber ? result : (result.score ?? (pass ? 1 : 0));
  return { score: scored ? score : pass ? 1 : 0, reasoning: result.reason, details: { promptfoo_score: score } };
}`;

export const FUNCTION_OF = `function functionOf(module, name) {
  const exported = module.default?.default ?? module.default ?? module;
  const found = name === undefined ? exported : (module[name] ?? exported[name]);
  if (typeof found !== 'function') throw new Error(\`the file exports no function \${name ?? 'as default'}\`);
  return found;
}`;

const PYTHON_HEAD = `# Checks of a promptfoo config, as evaluators of Assay.
import importlib.util
import json
import os
import textwrap


def _check(call):
    # "vars", "config", "threshold" and "scored" are fields of the evaluator in the suite.
    def check(config, evidence):
        response = evidence["memory"].get("promptfoo") or {}
        output = response.get("output", evidence["output"])
        context = {
            "vars": config.get("vars") or {},
            "config": config.get("config"),
            "prompt": evidence["question"],
            "test": {"vars": config.get("vars") or {}, "metadata": evidence["test"]["metadata"]},
            "providerResponse": {**response, "output": output},
        }
        return _score(call(output, context), config.get("threshold"), config.get("scored", False))

    return check


def _score(result, threshold, scored):
    # promptfoo takes True or False, a number, or {"pass", "score", "reason"}.
    if isinstance(result, str) and result.lower() in ("true", "false"):
        result = result.lower() == "true"
    if isinstance(result, str) and result.startswith("{"):
        result = json.loads(result)
    if isinstance(result, bool):
        return 1 if result else 0
    if isinstance(result, (int, float)):
        passed = result > 0 if threshold is None else result >= threshold
        return result if scored else (1 if passed else 0)
    if not isinstance(result, dict) or not isinstance(result.get("pass", result.get("pass_")), bool):
        raise ValueError("a check must return True, False, a number or {pass, score, reason}, but returned %r" % (result,))
    passed = result.get("pass", result.get("pass_"))
    score = result.get("score", 1 if passed else 0)
    if threshold is not None and score < threshold:
        passed = False
    return {"score": score if scored else (1 if passed else 0), "reasoning": str(result.get("reason") or "")}


def _inline(code):
    def call(output, context):
        body = textwrap.indent(code, "    ") if "\\n" in code else "    return " + code
        scope = {"json": json}
        exec("def main(output, context):\\n" + body + "\\n", scope)
        return scope["main"](output, context)

    return _check(call)


def _function(path, name):
    def call(output, context):
        full = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), path))
        spec = importlib.util.spec_from_file_location("promptfoo_check", full)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, name)(output, context)

    return _check(call)

`;
