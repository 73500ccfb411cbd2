import type { SourceExcerpt } from '../../src/base/model/page-data.ts';
import type { Place } from '../../src/base/model/place.ts';
import { codeNodes } from '../text/code-nodes.ts';
import { Nodes } from '../text/nodes.tsx';
import { PlaceLink } from './place-link.tsx';

const CONTEXT = 2;
const MAX_LENGTH = 400;

/** The lines of a suite file around a place, with its line marked. */
export function SourceFrame({
  place,
  sources,
}: {
  readonly place: Place;
  readonly sources: readonly SourceExcerpt[];
}) {
  const { file, line } = place;
  const excerpt = sources.find(
    (one) => one.file === file && line >= one.first_line && line < one.first_line + one.lines.length,
  );
  const language = /\.jsonl?$/i.test(file) ? 'json' : 'yaml';
  return (
    <figure class="frame">
      <figcaption>
        <PlaceLink place={place} />
        {excerpt?.has_changed === true && <em class="state">changed since this run</em>}
      </figcaption>
      {excerpt !== undefined && (
        <div class="frame-lines">
          {linesAround(excerpt, line).map(({ number, text }) => (
            <div key={number} class={number === line ? 'frame-line is-marked' : 'frame-line'}>
              <span class="line-number">
                {number === line && <span class="visually-hidden">Here: </span>}
                {number}
              </span>
              <code dir="ltr">
                <Nodes
                  nodes={codeNodes(
                    text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text,
                    language,
                  )}
                />
              </code>
            </div>
          ))}
        </div>
      )}
    </figure>
  );
}

function linesAround(
  { first_line, lines }: SourceExcerpt,
  line: number,
): readonly { readonly number: number; readonly text: string }[] {
  const from = Math.max(0, line - first_line - CONTEXT);
  return lines
    .slice(from, line - first_line + CONTEXT + 1)
    .map((text, index) => ({ number: first_line + from + index, text }));
}
