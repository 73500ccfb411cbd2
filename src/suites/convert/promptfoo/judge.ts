import type { JsonObject } from '../../../base/model/json.ts';
import { fieldOf, textOf, type ForeignValue } from '../foreign-value.ts';
import type { ConfigFiles } from './config-files.ts';
import { parseFileReference } from './file-reference.ts';
import { modelTarget } from './model-target.ts';
import { authoredProvider } from './providers.ts';
import type { Report } from './report.ts';
import { authoredJudge } from './targets.ts';

/** The provider that judges by default. */
export function readJudge(config: ForeignValue, files: ConfigFiles, report: Report): JsonObject | undefined {
  const authoredDefaults = fieldOf(config, 'defaultTest');
  const reference = parseFileReference(textOf(authoredDefaults) ?? '');
  const read = reference === undefined ? undefined : files.document(reference.path);
  const defaults = read === undefined ? authoredDefaults : 'value' in read ? read.value : undefined;
  const options = defaults && fieldOf(defaults, 'options');
  const field = (options && fieldOf(options, 'provider')) ?? (defaults && fieldOf(defaults, 'provider'));
  if (field === undefined) return undefined;
  const authored = authoredProvider(authoredJudge(field));
  const model =
    authored === undefined
      ? { why: 'it is not a provider that can be read' }
      : modelTarget(authored, { report, at: ['judge'] });
  if (!('why' in model)) return model;
  report.lost(
    {
      what: 'the provider that judges',
      why: 'only a model can judge: write `judge` in this config',
      from: field.path,
      value: field.value,
    },
    ['judge'],
  );
  return undefined;
}
