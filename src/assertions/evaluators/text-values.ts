import { defineEvaluator, type EvaluatorKind } from '../../schema/assertion-kind.ts';
import { list } from '../../schema/list.ts';
import { text } from '../../schema/values.ts';

function oneText(kind: string, doc: string): EvaluatorKind {
  return defineEvaluator({
    kind,
    doc,
    isBinary: true,
    fields: { value: { schema: text(), doc: 'The text.', missing: 'missing_value' } },
  });
}

function manyTexts(kind: string, doc: string): EvaluatorKind {
  return defineEvaluator({
    kind,
    doc,
    isBinary: true,
    fields: { value: { schema: list(text(), { nonEmpty: true }), doc: 'The texts.', missing: 'missing_value' } },
  });
}

export const contains = oneText('contains', 'The output contains the text.');
export const icontains = oneText('icontains', 'The output contains the text, in upper or lower case.');
export const containsAny = manyTexts('contains_any', 'The output contains at least one of the texts.');
export const containsAll = manyTexts('contains_all', 'The output contains all of the texts.');
export const startsWith = oneText('starts_with', 'The output starts with the text.');
export const endsWith = oneText('ends_with', 'The output ends with the text.');
export const equals = oneText('equals', 'The output is exactly the text.');
