import type { Scene } from './scenes.ts';

const WIDTH = 860;
const LINE = 19;
const TOP = 56;
const LEFT = 20;

/** The colours of a terminal by their codes; readable on #16181d. */
const COLORS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#56d364',
  33: '#e3b341',
  36: '#76e3ea',
  90: '#8b949e',
};
const PLAIN = '#e6edf3';

/** An SVG that shows the scenes one after another, again and again, with CSS alone. */
export function drawScenes(scenes: readonly Scene[]): string {
  const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const height = TOP + LINE * (Math.max(...scenes.map(({ output }) => linesOf(output).length)) + 2);
  let start = 0;
  const parts = scenes.map((scene, index) => {
    const part = drawScene(scene, { index, start, total });
    start += scene.seconds;
    return part;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="A terminal: a failing test with its difference, an edit, the passing test, and a grid of three models">`,
    '<style>',
    'text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }',
    `.scene { opacity: 0; animation: ${total}s step-end infinite; }`,
    ...parts.map(({ style }) => style),
    // Without animations, the first scene stands still.
    '@media (prefers-reduced-motion: reduce) { .scene, .printed { animation: none; } #s0 { opacity: 1; } .printed { opacity: 1; } }',
    '</style>',
    `<rect width="${WIDTH}" height="${height}" rx="10" fill="#16181d"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, index) => `<circle cx="${24 + 20 * index}" cy="22" r="6" fill="${fill}"/>`,
    ),
    ...parts.map(({ drawing }) => drawing),
    '</svg>',
    '',
  ].join('\n');
}

interface Timing {
  readonly index: number;
  readonly start: number;
  readonly total: number;
}

function drawScene(
  { command, output, seconds }: Scene,
  { index, start, total }: Timing,
): { style: string; drawing: string } {
  const at = (second: number): string => `${Number(((second / total) * 100).toFixed(2))}%`;
  const end = start + seconds;
  const printedAt = start + Math.min(0.8, seconds / 2);
  const frames = (from: number): string =>
    [
      from === 0 ? '' : '0% { opacity: 0; }',
      `${at(from)} { opacity: 1; }`,
      end === total ? '' : `${at(end)} { opacity: 0; }`,
      '100% { opacity: 0; }',
    ].join(' ');
  const style = [
    `@keyframes s${index} { ${frames(start)} }`,
    `@keyframes p${index} { ${frames(printedAt)} }`,
    `#s${index} { animation-name: s${index}; }`,
    `#s${index} .printed { opacity: 0; animation: p${index} ${total}s step-end infinite; }`,
  ].join('\n');
  const lines = linesOf(output).map((line, row) => drawLine(line, TOP + LINE * (row + 1.5)));
  return {
    style,
    drawing: [
      `<g class="scene" id="s${index}">`,
      drawLine(`\u001B[32m$\u001B[39m ${command}`, TOP),
      `<g class="printed">`,
      ...lines,
      '</g>',
      '</g>',
    ].join('\n'),
  };
}

function linesOf(output: string): readonly string[] {
  return output.trimEnd() === '' ? [] : output.trimEnd().split('\n');
}

function drawLine(line: string, y: number): string {
  if (line === '') return '';
  let color = PLAIN;
  let isBold = false;
  let isDim = false;
  const spans: string[] = [];
  // oxlint-disable-next-line no-control-regex
  for (const piece of line.split(/(\u001B\[[\d;]*m)/)) {
    // oxlint-disable-next-line no-control-regex
    const code = /^\u001B\[([\d;]*)m$/.exec(piece)?.[1];
    if (code === undefined) {
      if (piece === '') continue;
      const attributes = [`fill="${isDim ? COLORS[90] : color}"`, ...(isBold ? ['font-weight="bold"'] : [])];
      spans.push(`<tspan ${attributes.join(' ')}>${escapeXml(piece)}</tspan>`);
      continue;
    }
    for (const number of code.split(';').map(Number)) {
      if (number === 0 || number === 39) color = PLAIN;
      if (number === 0 || number === 22) isBold = isDim = false;
      if (number === 1) isBold = true;
      if (number === 2) isDim = true;
      color = COLORS[number] ?? color;
    }
  }
  return `<text x="${LEFT}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
