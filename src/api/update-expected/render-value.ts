import {
  escapeControls,
  quoteDouble,
  quoteSingle,
  renderFlow,
  renderFlowText,
  renderLiteral,
} from '../../suites/formats/yaml/render-text.ts';
import type { Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { SourceNode } from './source-tree.ts';

export interface RenderPlace {
  readonly isJson: boolean;
  /** Inside brackets or braces. */
  readonly isInFlow: boolean;
  /** The style of the old value. */
  readonly style: SourceNode['style'];
  readonly kind: SourceNode['kind'];
  /** How far a block at this place is indented. */
  readonly indent: number;
  /** The old value took several lines. */
  readonly isMultiLine: boolean;
  /** Something follows on the same line. */
  readonly isFollowed: boolean;
}

/** How a value is written at a place: in the style of the old value, as far as that style can express it. */
export function renderValue(value: Json, place: RenderPlace): string {
  if (place.isJson) return renderJson(value, place);
  if (typeof value === 'string') return renderText(value, place);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const isBlock = place.style === 'block' && place.kind !== 'scalar' && !place.isInFlow && !isEmpty;
  return typeof value === 'object' && value !== null && isBlock
    ? renderBlock(value, place.indent)
    : renderFlow(value);
}

/** A value that took several lines takes several again. */
function renderJson(value: Json, { kind, indent, isMultiLine }: RenderPlace): string {
  if (kind === 'scalar' || !isMultiLine) return escapeControls(printJson(value));
  return escapeControls(printJson(value, '  ').replaceAll('\n', `\n${' '.repeat(indent)}`));
}

function renderText(text: string, { style, isInFlow, indent, isFollowed }: RenderPlace): string {
  if (style === 'double') return quoteDouble(text);
  if (style === 'single') return quoteSingle(text);
  const mayBeBlock = !isInFlow && !isFollowed && text.includes('\n');
  if ((style === 'block' && !isInFlow) || mayBeBlock) return renderLiteral(text, indent) ?? quoteDouble(text);
  return renderFlowText(text);
}

function renderBlock(value: Json, indent: number): string {
  const margin = `\n${' '.repeat(indent)}`;
  const inner = (item: Json, deeper: number, isInList: boolean): string => {
    if (typeof item !== 'object' || item === null || Object.keys(item).length === 0)
      return `${isInList ? '' : ' '}${renderFlow(item)}`;
    return isInList ? renderBlock(item, deeper) : `\n${' '.repeat(deeper)}${renderBlock(item, deeper)}`;
  };
  if (Array.isArray(value))
    return value.map((item: Json) => `- ${inner(item, indent + 2, true)}`).join(margin);
  return Object.entries(value as object)
    .map(([key, item]) => `${renderFlowText(key)}:${inner(item as Json, indent + 2, false)}`)
    .join(margin);
}
