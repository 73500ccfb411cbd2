import type { ComponentChildren } from 'preact';

/** A table of runs, one in a row. */
export function NumbersTable({
  words,
  numbers,
  children,
}: {
  /** The titles of the columns that hold words, which come first. */
  readonly words: readonly string[];
  readonly numbers: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="The runs in numbers">
      <table class="numbers">
        <thead>
          <tr>
            {words.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {numbers.map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
