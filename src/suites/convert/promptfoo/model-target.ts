import type { Json, JsonObject } from '../../../base/model/json.ts';
import { otherFields } from '../foreign-value.ts';
import { environmentVariable, MODEL_SETTINGS, modelOf, withEnvironment } from './model-providers.ts';
import type { AuthoredProvider, ProviderContext } from './providers.ts';
import { nameOf } from './report.ts';

/** A model of a provider that speaks a known API, as a target or as a judge. */
export function modelTarget(
  { id, config }: AuthoredProvider,
  { report, at }: Pick<ProviderContext, 'report' | 'at'>,
): JsonObject | { readonly why: string } {
  const model = modelOf(id);
  if (model === undefined) return { why: 'Assay has no target of this kind: write an agent for it' };
  const target: Record<string, Json> = { ...model };
  for (const setting of config === undefined ? [] : otherFields(config, new Set())) {
    const name = nameOf(setting);
    const known = MODEL_SETTINGS[name];
    if (known !== undefined) target[known] = setting.value;
    else if (name === 'apiKeyEnvar') target['api_key'] = `\${{ ${String(setting.value)} }}`;
    else if (name === 'apiKey')
      addKey(setting.value, target, () =>
        report.lost(
          {
            what: 'apiKey',
            why: 'keys are not copied: set the variable of the provider, or `api_key: ${{ NAME }}`',
            from: setting.path,
          },
          [...at, 'api_key'],
        ),
      );
    else if (name === 'apiBaseUrl' || name === 'apiHost') addAddress(name, String(setting.value), target);
    else
      report.lost(
        { what: name, why: 'a chat target has no such setting', from: setting.path, value: setting.value },
        [...at, name],
      );
  }
  return target;
}

function addKey(value: Json, target: Record<string, Json>, lose: () => void): void {
  const variable = environmentVariable(value);
  if (variable === undefined) lose();
  else target['api_key'] = variable;
}

function addAddress(name: string, address: string, target: Record<string, Json>): void {
  const url =
    environmentVariable(address) ??
    (/^(?:https?:\/\/|\$\{\{)/.test(address)
      ? withEnvironment(address)
      : `https://${withEnvironment(address)}`);
  if (target['provider'] === 'azure') target['endpoint'] = url;
  else {
    if (target['provider'] === 'openai') target['provider'] = 'openai-compatible';
    target['base_url'] =
      name === 'apiHost' && !url.endsWith('/v1') && !url.includes('${{') ? `${url}/v1` : url;
  }
}
