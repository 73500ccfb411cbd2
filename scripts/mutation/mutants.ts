import { parseSync } from 'oxc-parser';

/** One small change of a source file that tests should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The source it replaces, and what stands there instead. */
  readonly before: string;
  readonly after: string;
  /** How people and files call it: its file, and its lines before and after. */
  readonly name: string;
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

type Change = readonly [node: Pick<Node, 'start' | 'end'>, after: string];

/** Every mutant of a file. Types, imports and the texts of messages are left alone: no test is about them. */
export function mutantsOf(source: string, file: string): readonly Mutant[] {
  const { program } = parseSync(file, source);
  const mutants: Mutant[] = [];
  walk(program as unknown as Node, (node) => {
    for (const [{ start, end }, after] of changesOf(node, source)) {
      const before = source.slice(start, end);
      const line = source.slice(0, start).split('\n').length;
      const lineStart = source.lastIndexOf('\n', start - 1) + 1;
      const lineEnd = (source.indexOf('\n', end) + 1 || source.length + 1) - 1;
      const changed = source.slice(lineStart, start) + after + source.slice(end, lineEnd);
      const name = `${file}: ${squeeze(source.slice(lineStart, lineEnd))} => ${squeeze(changed)}`;
      if (before !== after) mutants.push({ file, line, start, end, before, after, name });
    }
  });
  return mutants;
}

function squeeze(lines: string): string {
  return lines.replaceAll(/\s+/g, ' ').trim();
}

export function applyMutant(source: string, { start, end, after }: Mutant): string {
  return source.slice(0, start) + after + source.slice(end);
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
};
const ASSIGNMENTS: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '||=': '&&=', '&&=': '||=' };
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  ceil: 'floor',
  floor: 'ceil',
  push: 'unshift',
};

function changesOf(node: Node, source: string): readonly Change[] {
  const at = (key: string): Node => node[key] as Node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const [left, right] = [at('left'), at('right')];
      const between = source.slice(left.end, right.start);
      const operator = String(node['operator']);
      return (OPERATORS[operator] ?? []).map((other) => [
        { start: left.end, end: right.start },
        between.replace(operator, other),
      ]);
    }
    case 'AssignmentExpression': {
      const other = ASSIGNMENTS[String(node['operator'])];
      const gap = { start: at('left').end, end: at('right').start };
      return other === undefined ? [] : [[gap, ` ${other} `]];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [[node, text(at('argument'), source)]] : [];
    case 'UpdateExpression':
      return [[node, text(node, source).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++'))]];
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((value) => [at('test'), value]);
    case 'WhileStatement':
      return [[at('test'), 'false']];
    case 'Literal':
      return literalChanges(node);
    case 'CallExpression':
      return callChanges(at('callee'));
    case 'ExpressionStatement':
      // A call or an assignment that is not made. `super()` has to be.
      return /^super\b|^'/.test(text(node, source)) ? [] : [[node, ';']];
    default:
      return [];
  }
}

function literalChanges(node: Node): readonly Change[] {
  const value = node['value'];
  if (typeof value === 'boolean') return [[node, String(!value)]];
  if (typeof value === 'number') return [[node, String(value + 1)]];
  return [];
}

function callChanges(callee: Node): readonly Change[] {
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return [];
  const property = callee['property'] as Node;
  const name = String(property['name']);
  return Object.hasOwn(METHODS, name) ? [[property, METHODS[name]!]] : [];
}

function text({ start, end }: Node, source: string): string {
  return source.slice(start, end);
}

function walk(node: Node, visit: (node: Node) => void): void {
  if (node.type.startsWith('TS') && !HOLD_CODE.has(node.type)) return;
  if (node.type === 'ImportDeclaration' || node.type === 'ThrowStatement') return;
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) walk(child, visit);
  }
}

/** Code with a type at it. */
const HOLD_CODE = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
