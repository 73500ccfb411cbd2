import { isJsonObject, type Json, type JsonObject } from '../../src/base/model/json.ts';
import { Pieces } from '../parts/pieces.tsx';
import { isDataImage } from '../text/data-image.ts';
import { DataImage } from '../text/data-image-view.tsx';
import { jsonText } from '../text/json/json-text.ts';
import { JsonView } from '../text/json/json-view.tsx';
import { LongText } from '../text/long-text.tsx';
import { useReading } from '../text/reading.ts';
import { RichText } from '../text/rich-text.tsx';
import { Text } from '../text/text.tsx';
import { imageOf } from './image-part.ts';

/** The content of a message: text, parts, or any JSON. */
export function Content({ content }: { readonly content: Json }) {
  if (content === '') return <span class="dim">(empty)</span>;
  if (typeof content === 'string') return <RichText value={content} />;
  if (Array.isArray(content) && content.length > 0 && content.every(isPart)) {
    return (
      <div class="stack">
        <Pieces items={content as readonly JsonObject[]} first={40} what="parts">
          {(part, index) => <Part key={index} part={part} />}
        </Pieces>
      </div>
    );
  }
  return <JsonView value={content} label="Content" />;
}

function isPart(part: Json): boolean {
  return isJsonObject(part) && typeof part['type'] === 'string';
}

function Part({ part }: { readonly part: JsonObject }) {
  const isRaw = useReading() === 'raw';
  const { type, value, text } = part;
  const isText = type === 'text' || type === 'input_text' || type === 'output_text';
  const words = isText ? (value ?? text) : text;
  if (isText && typeof words === 'string') return <RichText value={words} />;
  const image = imageOf(part);
  if (image !== undefined && !isRaw)
    return isDataImage(image) ? (
      <DataImage address={image} name="" />
    ) : (
      <span>
        Image <Text value={image.replace(/^(data:[^,]{0,100}),.*/s, '$1')} />
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
  return <JsonView value={part} label="Part" />;
}
