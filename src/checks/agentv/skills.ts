import type { JsonObject } from '../../base/model/json.ts';
import { isJsonList, isJsonObject } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { list } from '../../base/schema/list.ts';
import { complete, object } from '../../base/schema/object.ts';
import { boolean, number, text } from '../../base/schema/values.ts';
import { defineSpelling } from '../contract/evaluator-spelling.ts';
import { skillUsed } from '../evaluators/skill-used.ts';

const name = text({ nonEmpty: true });

export const skillTrigger = defineSpelling({
  names: ['skill-trigger'],
  doc: 'AgentV 4: `skill_used`; with `should_trigger: false` it must not be used.',
  kind: skillUsed,
  fields: {
    skill: { schema: name, doc: 'The name of the skill.', missing: 'missing_value' },
    should_trigger: { schema: boolean(), doc: 'Default: true.' },
  },
  translate: ({ skill, should_trigger, ...read }) => ({
    ...read,
    value: skill!,
    ...(should_trigger === false ? { max: 0 } : {}),
    part: true,
  }),
});

const counted = complete(
  object(
    {
      name: { schema: name, doc: 'The skill.' },
      pattern: { schema: name, doc: 'The same, with `*`.' },
      min: { schema: number({ min: 0, integer: true }), doc: 'At least this often. Default: 1.' },
      max: { schema: number({ min: 0, integer: true }), doc: 'At most this often.' },
    },
    { what: 'a skill that is used' },
  ),
);

export const skillUsedHyphened = defineSpelling({
  names: ['skill-used'],
  doc: 'AgentV of July 2026: `skill_used`; with `not-`, none of them.',
  kind: skillUsed,
  readsNegation: true,
  fields: {
    value: {
      schema: byType({ string: name, array: list(name, { nonEmpty: true }), object: counted }),
      doc: 'The skills, or one of them and how often it is used.',
      missing: 'missing_value',
    },
  },
  translate({ value, negate, ...read }, reader): JsonObject | undefined {
    const none = negate === true ? { max: 0 } : {};
    if (!isJsonObject(value)) return { ...read, value: isJsonList(value) ? value : value!, ...none };
    const { name: named, pattern, ...limits } = value;
    if (named === undefined && pattern === undefined)
      reader.error({ code: 'missing_value', message: 'a skill needs `name` or `pattern`', at: ['value'] });
    else if (negate === true && ('min' in limits || (limits['max'] ?? 0) !== 0))
      reader.unsupported({
        message: '`not-skill-used` cannot be combined with `min` and `max`',
        hint: 'write `max: 0` without `not-`, or the limits that must hold',
        at: ['value'],
      });
    else return { ...read, value: (pattern ?? named)!, ...limits, ...none };
    return undefined;
  },
});
