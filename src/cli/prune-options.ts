import { count, flag, value, type OptionTable } from './option.ts';
import { HELP } from './shared-options.ts';

const HOUR_MS = 3_600_000;
const HOURS = { h: 1, d: 24, w: 168 } as const;

export const PRUNE_OPTIONS = {
  keep: count('keep this many of the newest runs'),
  'older-than': value('remove only runs that are older: 12h, 30d, 8w', {
    placeholder: 'AGE',
    wanted: 'an age such as 12h, 30d or 8w',
    read(given) {
      const [, number, unit] = /^(\d{1,5})([hdw])$/.exec(given) ?? [];
      return number === undefined ? undefined : Number(number) * HOUR_MS * HOURS[unit as keyof typeof HOURS];
    },
  }),
  'dry-run': flag('only show what would be removed'),
  ...HELP,
} satisfies OptionTable;
