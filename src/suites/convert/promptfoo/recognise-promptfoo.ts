import { basename } from '../../formats/path-names.ts';
import { isJsonList, isJsonObject, type JsonObject } from '../../../base/model/json.ts';
import type { SniffedFile } from '../contract.ts';

/** A config of promptfoo: by its name, the schema it names, or prompts that go to providers. */
export function recognisesPromptfoo({ path, text, value }: SniffedFile): boolean {
  if (value === undefined || !isJsonObject(value) || CASES_OF_OURS.some((key) => key in value)) return false;
  if (/^promptfooconfig\b.*\.(?:ya?ml|json)$/i.test(basename(path))) return true;
  if (/promptfoo\.dev\/config-schema\.json/.test(text.slice(0, 2000))) return true;
  if (hasNamedTests(value) || 'name' in value) return false;
  const hasProviders =
    'providers' in value || ONLY_PROMPTFOO.some((key) => key in value) || isTargetList(value);
  return hasProviders && ('prompts' in value || 'tests' in value || 'scenarios' in value);
}

const ONLY_PROMPTFOO = [
  'defaultTest',
  'scenarios',
  'evaluateOptions',
  'commandLineOptions',
  'derivedMetrics',
];

/** Tests of promptfoo have no ids, and its configs no name; those of AgentV, which also writes `prompts` and `providers`, have. */
function hasNamedTests({ tests = [] }: JsonObject): boolean {
  return isJsonList(tests) && tests.some((test) => isJsonObject(test) && typeof test['id'] === 'string');
}

const CASES_OF_OURS = ['evalcases', 'cases', 'steps', 'input'];

/** `targets` is another name of `providers`; in files of ours it lists names. */
function isTargetList(config: JsonObject): boolean {
  const targets = config['targets'];
  return 'prompts' in config && isJsonList(targets ?? null) && 'redteam' in config;
}
