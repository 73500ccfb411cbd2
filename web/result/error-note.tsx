import type { RecordedError } from '../../src/base/model/record.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
import { Icon } from '../parts/icon.tsx';

/** Why something could not be measured. */
export function ErrorNote({ error: { kind, message } }: { readonly error: RecordedError }) {
  return (
    <div class="hint">
      <p class="mark-error">
        <Icon name="error" /> <Text value={kind} /> error
      </p>
      <LongText className="code" value={message} />
    </div>
  );
}
