/** An eval file with this many tests, `t0` and so on. The input of each is its number, and `right` must be in the output. */
export function manyTests(count: number): string {
  const check = 'evaluators: [{ name: right, type: contains, value: right }]';
  const tests = Array.from(
    { length: count },
    (_, index) => `  - { id: t${index}, input: "${index}", ${check} }\n`,
  );
  return `evalcases:\n${tests.join('')}`;
}
