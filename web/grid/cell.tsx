import type { ComponentChildren } from 'preact';

/** One cell of a grid's row. */
export function Cell({
  name,
  span,
  children,
}: {
  readonly name: string;
  readonly span?: number;
  readonly children?: ComponentChildren;
}) {
  return (
    <div role="gridcell" class={`cell cell-${name}`} aria-colspan={span}>
      {children}
    </div>
  );
}
