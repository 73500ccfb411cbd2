const DAY_MS = 86_400_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** After "since", in the reader's time zone: `09:12`, `yesterday`, `Friday`, `12 October`, `12 October 2024`. */
export function dayWords(iso: string, now: number): string | undefined {
  const date = new Date(iso);
  const days = (startOfDay(new Date(now)) - startOfDay(date)) / DAY_MS;
  if (Number.isNaN(days) || days < -0.5) return undefined;
  // A day of summer time is an hour short or long.
  switch (Math.round(days)) {
    case 0:
      return `${two(date.getHours())}:${two(date.getMinutes())}`;
    case 1:
      return 'yesterday';
    default: {
      if (Math.round(days) < 7) return WEEKDAYS[date.getDay()]!;
      const isThisYear = date.getFullYear() === new Date(now).getFullYear();
      const month = date.toLocaleString('en', { month: 'long' });
      return `${date.getDate()} ${month}${isThisYear ? '' : ` ${date.getFullYear()}`}`;
    }
  }
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
