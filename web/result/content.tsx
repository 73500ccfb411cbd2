import type { Json, JsonObject } from '../../src/model/json.ts';
import { Pieces } from '../parts/pieces.tsx';
import { jsonText } from '../text/json-text.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';

/** The content of a message: text, parts, or any JSON. */
export function Content({ content }: { readonly content: Json }) {
  if (content === '') return <span class="dim">(empty)</span>;
  if (typeof content === 'string') return <LongText value={content} />;
  if (Array.isArray(content) && content.length > 0 && content.every(isPart)) {
    return (
      <div class="parts">
        <Pieces items={content as readonly JsonObject[]} first={40} what="parts">
          {(part, index) => <Part key={index} part={part} />}
        </Pieces>
      </div>
    );
  }
  return <LongText className="code" value={jsonText(content)} />;
}

function isPart(part: Json): boolean {
  return typeof part === 'object' && part !== null && typeof (part as JsonObject)['type'] === 'string';
}

function Part({ part }: { readonly part: JsonObject }) {
  const { type, value, text } = part;
  const isText = type === 'text' || type === 'input_text' || type === 'output_text';
  const words = isText ? (value ?? text) : text;
  if (isText && typeof words === 'string') return <LongText value={words} />;
  if (type === 'image' && typeof value === 'string')
    return (
      <span>
        Image <Text value={value.replace(/^(data:[^,]{0,100}),.*/s, '$1')} />
      </span>
    );
  if (type === 'file' && typeof value === 'string') {
    return (
      <details>
        <summary>
          File <Text value={value} />
        </summary>
        <LongText className="code" value={typeof words === 'string' ? words : jsonText(part)} />
      </details>
    );
  }
  return <LongText className="code" value={jsonText(part)} />;
}
