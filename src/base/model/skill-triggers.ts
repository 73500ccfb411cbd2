import { closed, count, list, named, optional, share, text, type TypeOf } from './described.ts';

const SHARE = named(
  'skillShare',
  closed({
    count: count(),
    total: count(),
    share: optional(share('Absent, like the bounds, if nothing was counted.')),
    low: optional(share('The lower bound of the 95% Wilson interval; `high` is the upper one.')),
    high: optional(share()),
  }),
);
export type SkillShare = TypeOf<typeof SHARE>;

/** Over the attempts of the tests of trigger files. */
export const SKILL_TRIGGERS = named(
  'skillTriggers',
  closed({
    skills: list(
      closed({
        skill: text('`*`: any.'),
        recall: SHARE,
        precision: SHARE,
      }),
      'Recall: how many of the queries that must trigger the skill did. Precision: how many of those that triggered it must.',
    ),
    confusion: list(
      closed({
        expected: text('The skill, or `not` and the skill.'),
        used: text('The first skill that was used, or `none`.'),
        count: count(),
      }),
    ),
    unmeasured: count('Attempts with an error: they are in none of the numbers.'),
  }),
);
export type SkillTriggers = TypeOf<typeof SKILL_TRIGGERS>;
