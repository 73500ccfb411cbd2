import type { Verdict } from '../../src/base/model/record.ts';
import './icon.css';

export type IconName =
  | Verdict
  | 'flaky'
  | 'running'
  | 'search'
  | 'theme'
  | 'keys'
  | 'chevron'
  | 'logo'
  | 'copy';

/** Drawn on 16 by 16. Verdicts differ in shape, not only in colour. */
const SHAPES: Readonly<Record<IconName, readonly { readonly d: string; readonly isFilled?: boolean }[]>> = {
  passed: [{ d: 'M3.5 8.5l3 3 6-7' }],
  failed: [{ d: 'M2.5 2.5h11v11h-11z', isFilled: true }, { d: 'M5.5 5.5l5 5m0-5l-5 5' }],
  error: [{ d: 'M8 1.8l6.6 12.2H1.4z', isFilled: true }, { d: 'M8 6.4v3.4m0 1.9v.1' }],
  skipped: [{ d: 'M4 8h8' }],
  not_graded: [{ d: 'M3 8h2m2 0h2m2 0h2' }],
  flaky: [{ d: 'M1.5 9c1.6-4 3.2-4 4.8-1.5s3.2 2.5 4.2.5 2.5-3 4-1.5' }],
  running: [{ d: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5' }],
  search: [{ d: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm3.3 7.8l3.2 3.2' }],
  theme: [{ d: 'M8 2.2a5.8 5.8 0 1 1 0 11.6z', isFilled: true }, { d: 'M8 2.2a5.8 5.8 0 1 0 0 11.6' }],
  keys: [{ d: 'M1.5 4h13v8.5h-13zM4 7h.1m2.5 0h.1m2.5 0h.1m2.5 0h.1M5 10h6' }],
  chevron: [{ d: 'M6 4l4 4-4 4' }],
  logo: [{ d: 'M2 2h12v12H2z', isFilled: true }, { d: 'M5 8.2l2.2 2.2L11 6' }],
  copy: [{ d: 'M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z' }],
};

/** What screen readers are told of a drawing; nothing without a label. */
export function naming(label: string | undefined): object {
  return label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
}

/** With a name it is an image with that name; without one it is decoration beside text. */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string | undefined }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="14" height="14" {...naming(label)}>
      {SHAPES[name].map(({ d, isFilled = false }) => (
        <path key={d} d={d} class={isFilled ? 'icon-fill' : 'icon-line'} />
      ))}
    </svg>
  );
}
