import type { Json } from '../../src/base/model/json.ts';
import { JsonView } from '../text/json/json-view.tsx';
import { RichText } from '../text/rich-text.tsx';

/** Any value: a text as a text, everything else as JSON. */
export function ValueView({ value, label }: { readonly value: Json; readonly label: string }) {
  return typeof value === 'string' ? <RichText value={value} /> : <JsonView value={value} label={label} />;
}

/** The same, behind its name. */
export function Labelled({ label, value }: { readonly label: string; readonly value: Json }) {
  return (
    <div class="labelled">
      <span class="label">{label}</span>
      <ValueView value={value} label={label} />
    </div>
  );
}
