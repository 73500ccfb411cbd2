import { epochMs } from '../../base/system/system-time.ts';

const DATE_LABEL = /((?:today(?:['’]s)?|current)[ _](?:date|month)(?:\W{1,2}is)?\W{1,3})([^\n<(]+)/gi;

/** Only where a prompt says that it is today's: any other date, and this one elsewhere, is what the agent is asked about. */
export function withoutToday(text: string): string {
  return text.replace(DATE_LABEL, (all, label: string, rest: string) => {
    const date = todayNow().find((each) => rest.startsWith(each));
    return date === undefined ? all : `${label}{today}${rest.slice(date.length)}`;
  });
}

const MINUTE_MS = 60_000;
let written: { readonly minute: number; readonly dates: readonly string[] } | undefined;

function todayNow(): readonly string[] {
  const minute = Math.floor(epochMs() / MINUTE_MS);
  if (written?.minute !== minute) written = { minute, dates: todayWritten() };
  return written.dates;
}

/** As programs write it, in the time of this machine or of the world. The longest first. */
function todayWritten(): readonly string[] {
  const now = epochMs();
  return [undefined, 'UTC'].flatMap((timeZone) => {
    const write = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(now);
    const [weekday, month] = [write({ weekday: 'short' }), write({ month: 'short' })];
    const [year, day] = [write({ year: 'numeric' }), write({ day: '2-digit' })];
    return [
      write({
        weekday: 'long',
        year: 'numeric',
        month: 'long',
        day: 'numeric',
      }),
      `${weekday} ${month} ${day} ${year}`,
      write({ year: 'numeric', month: 'long', day: 'numeric' }),
      write({ year: 'numeric', month: 'long' }),
      `${year}-${write({ month: '2-digit' })}-${day}`,
      write({}),
    ];
  });
}
