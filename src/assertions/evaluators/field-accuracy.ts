import { defineEvaluator } from '../../schema/assertion-kind.ts';
import { list } from '../../schema/list.ts';
import { object } from '../../schema/object.ts';
import { boolean, number, oneOf, text } from '../../schema/values.ts';

const field = object(
  {
    path: { schema: text({ nonEmpty: true }), doc: 'Where the value is: `a.b[0].c`.', missing: 'missing_path' },
    match: { schema: oneOf(['exact', 'numeric_tolerance', 'date']), doc: 'How it is compared.', missing: 'missing_match' },
    required: { schema: boolean(), doc: 'An absent value scores 0 (default), or is left out (`false`).' },
    weight: { schema: number({ min: 0 }), doc: 'Default: 1.' },
    tolerance: { schema: number({ min: 0 }), doc: 'For numbers. Default: 0.' },
    relative: { schema: boolean(), doc: 'The tolerance is a share of the expected number.' },
    formats: { schema: list(text({ nonEmpty: true })), doc: 'For dates: the formats to read them by.' },
  },
  { what: 'a field' },
);

export const fieldAccuracy = defineEvaluator({
  kind: 'field_accuracy',
  doc: 'Fields of a structured answer, each against the expected one.',
  fields: {
    fields: { schema: list(field, { nonEmpty: true, label: 'list of fields' }), doc: 'What to compare.', missing: 'missing_fields' },
    aggregation: { schema: oneOf(['weighted_average', 'all_or_nothing']), doc: 'Default: `weighted_average`.' },
  },
});
