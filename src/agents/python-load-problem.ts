import { offerFunctions, isFile, isFolder } from './agent-file.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import { codeLines, placeLine } from './load-problem.ts';
import type { PythonLoadError } from './python-child.ts';

/** Why a Python agent cannot be loaded, and what to do about it. */
export function explainPythonLoad(name: string, error: PythonLoadError): AgentSetupError {
  const { message, facts } = error;
  const { functions, missing, place } = facts;
  const where = place === undefined ? [] : [placeLine(place), ...codeLines(place)];
  const what = `${name}: ${message}`.replace(': the module cannot be loaded', ' cannot be loaded');
  const hint = functions === undefined ? hintForMissing(missing) : hintForFunctions(name, functions);
  return new AgentSetupError([what, ...where].join('\n'), { hint, cause: error });
}

function hintForFunctions(name: string, functions: readonly string[]): string {
  return offerFunctions(name, functions) ?? 'write `def agent(input, memory): return {"output": "..."}`';
}

function hintForMissing(module: string | null | undefined): string | undefined {
  if (typeof module !== 'string') return undefined;
  const [top = module] = module.split('.');
  if (isFile(`${top}.py`) || isFolder(top)) return `${top} is in this folder: set PYTHONPATH=.`;
  return `run \`pip install ${PACKAGES[module] ?? PACKAGES[top] ?? top}\``;
}

/** Packages with another name than their module. */
const PACKAGES: Readonly<Record<string, string>> = {
  agents: 'openai-agents',
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python',
  dateutil: 'python-dateutil',
  dotenv: 'python-dotenv',
  'google.adk': 'google-adk',
  'google.genai': 'google-genai',
  google: 'google-genai',
  jwt: 'PyJWT',
  PIL: 'pillow',
  pydantic_ai: 'pydantic-ai',
  sklearn: 'scikit-learn',
  yaml: 'PyYAML',
};
