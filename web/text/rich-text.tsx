import { useMemo } from 'preact/hooks';
import type { Json } from '../../src/base/model/json.ts';
import { splitImages, type ImagePart } from './data-image.ts';
import { DataImage } from './data-image-view.tsx';
import { JsonView } from './json/json-view.tsx';
import { parseJsonText } from './json/parse-json-text.ts';
import { LongText } from './long-text.tsx';
import { isMarkdown } from './markdown/is-markdown.ts';
import { Markdown } from './markdown/markdown.tsx';
import { useReading } from './reading.ts';
import './reading.css';

/** What a text is, and therefore how it is shown. */
type Part =
  | ImagePart
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'markdown' | 'plain'; readonly text: string };

/** A text of an agent, a test or a judge: Markdown, JSON, pictures, or as it is. */
export function RichText({ value, className = '' }: { readonly value: string; readonly className?: string }) {
  const isRaw = useReading() === 'raw';
  const parts = useMemo(() => (isRaw ? [] : partsOf(value)), [value, isRaw]);
  if (isRaw || (parts.length === 1 && parts[0]!.kind === 'plain'))
    return <LongText className={className} value={value} />;
  return (
    <div class={`stack ${className}`}>
      {parts.map((part, index) => (
        <PartView key={index} part={part} />
      ))}
    </div>
  );
}

function PartView({ part }: { readonly part: Part }) {
  switch (part.kind) {
    case 'image':
      return <DataImage address={part.address} name={part.name} />;
    case 'json':
      return <JsonView value={part.value} label="JSON" />;
    case 'markdown':
      return <Markdown value={part.text} />;
    case 'plain':
      return <LongText value={part.text} />;
  }
}

function partsOf(text: string): readonly Part[] {
  const json = parseJsonText(text);
  if (json !== undefined) return [{ kind: 'json', value: json }];
  const all = splitImages(text);
  return all
    .filter((part) => part.kind === 'image' || part.text.trim() !== '')
    .map((part): Part => {
      if (part.kind === 'image') return part;
      // Around a picture, empty lines would be a hole.
      const words = all.length === 1 ? part.text : part.text.replaceAll(/^(?:[^\S\n]*\n)+|\s+$/g, '');
      return { kind: isMarkdown(words) ? 'markdown' : 'plain', text: words };
    });
}
