interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line through the points; an unknown point breaks the line. */
export function linePath(points: readonly (Point | undefined)[]): string {
  return segments(points)
    .map((segment) => `M${segment.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}`)
    .join('');
}

interface Span {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

/** The area between two lines. A single span is drawn as a narrow one. */
export function areaPath(spans: readonly (Span | undefined)[]): string {
  return segments(spans)
    .map((segment) => (segment.length === 1 ? widen(segment[0]!) : segment))
    .map((segment) => {
      const there = segment.map(({ x, high }) => `${round(x)} ${round(high)}`);
      const back = segment.toReversed().map(({ x, low }) => `${round(x)} ${round(low)}`);
      return `M${[...there, ...back].join('L')}Z`;
    })
    .join('');
}

/** Round numbers from the lower bound to just above the upper one. */
export function niceTicks([low, high]: readonly [number, number]): readonly number[] {
  if (high <= low) return [low, low + 1];
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999)!;
  const ticks: number[] = [];
  for (let tick = low; tick < high + step * 0.999; tick += step) ticks.push(Number(tick.toPrecision(10)));
  return ticks;
}

function segments<T>(points: readonly (T | undefined)[]): readonly (readonly T[])[] {
  const all: T[][] = [[]];
  for (const point of points) {
    if (point === undefined) all.push([]);
    else all.at(-1)!.push(point);
  }
  return all.filter((segment) => segment.length > 0);
}

function widen({ x, low, high }: Span): readonly Span[] {
  return [
    { x: x - 4, low, high },
    { x: x + 4, low, high },
  ];
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
