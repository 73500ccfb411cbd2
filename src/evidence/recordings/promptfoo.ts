import { ownValue, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { numberAt, objectAt, textAt, valueAt, objectsAt } from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { recognise } from '../recognise.ts';
import { readEach, type Recording, type RecordingFormat } from './recording.ts';

/** What `promptfoo eval -o results.json` writes. */
export const PROMPTFOO: RecordingFormat = {
  name: 'promptfoo',
  title: 'promptfoo results',
  recognises: ([first]) =>
    first !== undefined && resultsOf(first).some((result) => 'response' in result && 'vars' in result),
  open: readEach((value, line) => {
    const seen = new Map<string, number>();
    return resultsOf(value).map((result) => readResult(result, { line, seen }));
  }),
};

function resultsOf(value: JsonObject): readonly JsonObject[] {
  return objectsAt(objectAt(value, 'results'), 'results');
}

function readResult(
  result: JsonObject,
  { line, seen }: { readonly line: number; readonly seen: Map<string, number> },
): Recording {
  const response = objectAt(result, 'response');
  const prompt = objectAt(result, 'prompt');
  const provider = objectAt(result, 'provider');
  const target = textAt(provider, 'label', 'id') ?? textAt(result, 'provider') ?? 'promptfoo';
  const test =
    textAt(objectAt(result, 'testCase'), 'description') ?? `test ${(numberAt(result, 'testIdx') ?? 0) + 1}`;
  const number = numberAt(result, 'promptIdx') ?? 0;
  const id = number === 0 ? test : `${test}, prompt ${number + 1}`;
  const key = `${id}\0${target}`;
  seen.set(key, (seen.get(key) ?? 0) + 1);
  const output = valueAt(response, 'output') ?? '';
  const raw = valueAt(response, 'raw');
  const known = raw === undefined ? undefined : recognise(raw, { input: '' });
  const tokens = objectAt(response, 'tokenUsage');
  const [input, written] = [countAt(tokens, 'prompt'), countAt(tokens, 'completion')];
  return {
    id,
    target,
    repeat: seen.get(key),
    line,
    turns: [
      {
        input: textAt(prompt, 'raw') ?? printJson(ownValue(result, 'vars') ?? {}),
        line,
        output: typeof output === 'string' ? output : printJson(output),
        tool_calls: known?.tool_calls,
        token_usage:
          input === undefined || written === undefined ? undefined : toUsage({ input, output: written }),
        cost_usd: numberAt(result, 'cost') ?? numberAt(response, 'cost'),
        duration_ms: numberAt(result, 'latencyMs'),
      },
    ],
    scores: {
      success: ownValue(result, 'success') ?? null,
      score: ownValue(result, 'score') ?? null,
    },
    metadata: { vars: ownValue(result, 'vars') ?? null },
    failure: valueAt(response, 'output') === undefined ? textAt(response, 'error') : undefined,
  };
}
