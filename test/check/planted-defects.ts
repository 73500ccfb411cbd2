/** Tests with one defect each: what is wrong, the codes of which one must be found, and the files. */
export interface Planted {
  readonly what: string;
  readonly codes: string;
  readonly files: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

let number = 0;

function evalFile(what: string, codes: string, ...cases: readonly Fields[]): Planted {
  return file(what, codes, {
    evalcases: cases.map((own, index) => ({ id: `c${index + 1}`, input: QUESTION, ...own })),
  });
}

/** A case with these evaluators. */
function evaluators(what: string, codes: string, ...list: readonly Fields[]): Planted {
  return evalFile(what, codes, { evaluators: list });
}

/** The evaluator next to a good one, so that the test as a whole can pass and fail. */
function beside(what: string, codes: string, ...list: readonly Fields[]): Planted {
  return evaluators(what, codes, { type: 'contains', value: 'Zurich', required: true }, ...list);
}

function stepTest(what: string, codes: string, test: Fields): Planted {
  const name = `d${++number}.test.json`;
  return { what, codes, files: { [name]: JSON.stringify(test, undefined, 1) } };
}

function file(what: string, codes: string, content: Fields): Planted {
  return { what, codes, files: { [`d${++number}.eval.json`]: JSON.stringify(content, undefined, 1) } };
}

function raw(what: string, codes: string, files: Readonly<Record<string, string>>): Planted {
  number++;
  return {
    what,
    codes,
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`d${number}${name}`, text])),
  };
}

const QUESTION = 'Where is the head office?';
const claim = (assert: Fields, more: Fields = {}): Fields => ({ input: QUESTION, assert, ...more });
const calls = (...tools: readonly string[]): readonly Fields[] => tools.map((tool) => ({ tool }));
const trajectory = (more: Fields): Fields => ({ type: 'tool_trajectory', ...more });
const schema = (own: Fields): Fields => ({ type: 'is_json', schema: own });
const composite = (list: readonly Fields[], more: Fields = {}): Fields => ({
  type: 'composite',
  evaluators: list,
  ...more,
});
const texts = (...values: readonly string[]): readonly Fields[] =>
  values.map((value) => ({ type: 'contains', value }));
const fields = (...list: readonly Fields[]): Fields => ({ type: 'field_accuracy', fields: list });
const ITEM = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const INVOICE = { total: 40, tax: 0, due: '2026-03-01', vendor: { name: 'Acme' } };

export const PLANTED: readonly Planted[] = [
  // Always true.
  evaluators('an empty text', 'always_holds', { type: 'contains', value: '' }),
  beside('an empty text beside another check', 'always_holds', { type: 'icontains', value: '' }),
  beside('an empty beginning', 'always_holds', { type: 'starts_with', value: '' }),
  beside('an empty end', 'always_holds', { type: 'ends_with', value: '' }),
  beside('one of several texts is empty', 'always_holds', { type: 'contains_any', value: ['yes', ''] }),
  beside('all of several texts, one empty', 'always_holds', { type: 'contains_all', value: ['Zurich', ''] }),
  beside('a blank', 'always_holds', { type: 'contains', value: ' ' }),
  beside('an empty pattern', 'always_holds', { type: 'regex', value: '' }),
  beside('a pattern for everything', 'always_holds', { type: 'regex', value: '.*' }),
  beside('an alternative that is empty', 'always_holds', { type: 'regex', value: 'Zurich|Geneva|' }),
  beside('an optional pattern', 'always_holds', { type: 'regex', value: '(?:Zurich)?' }),
  beside('everything, over lines', 'always_holds', { type: 'regex', value: String.raw`(?s)\A.*\Z` }),
  beside('a lookahead for anything', 'always_holds', { type: 'regex', value: '^(?=.*)' }),
  beside('JavaScript, found everywhere', 'always_holds', { type: 'regex', value: 'a*', dialect: 'js' }),
  stepTest(
    'an empty text in a claim',
    'always_holds',
    claim({ 'output.includes': '', 'output.includes_2': 'Zurich' }),
  ),
  stepTest(
    'a claim that matches everything',
    'always_holds',
    claim({ 'output.matches': String.raw`[\s\S]*`, 'output.includes': 'Zurich' }),
  ),
  beside('any text, beside a text', 'adds_nothing', { type: 'regex', value: '.+' }),
  beside('any word, beside a text', 'adds_nothing', { type: 'regex', value: String.raw`\w+` }),
  beside('a part larger than the whole', 'without_effect', {
    type: 'token_usage',
    max_total: 100,
    max_output: 500,
  }),
  evaluators(
    'a name that is not allowed',
    'cannot_pass',
    schema({ type: 'object', required: ['a'], propertyNames: { pattern: '^x' } }),
  ),
  evaluators(
    'between two whole numbers',
    'cannot_pass',
    schema({ type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 6 }),
  ),
  evaluators(
    'not what it is',
    'cannot_pass',
    schema({ type: 'object', required: ['a'], not: { required: ['a'] } }),
  ),
  evaluators(
    'values that no pattern allows',
    'cannot_pass',
    schema({ enum: ['open', 'closed'], pattern: '^[A-Z]' }),
  ),
  beside('one line of anything', 'always_holds', { type: 'regex', value: '^.*$' }),
  beside('a schema for everything', 'always_holds', { type: 'is_json', schema: {} }),
  beside(
    'a schema that only describes',
    'always_holds',
    schema({ title: 'Answer', description: 'any', properties: { a: {} } }),
  ),
  beside('no calls expected, others allowed', 'always_holds', trajectory({ mode: 'in_order', expected: [] })),
  beside('no calls in any order', 'always_holds', trajectory({ mode: 'any_order', expected: [] })),
  beside('at least no call', 'always_holds', trajectory({ minimums: { search: 0 } })),
  beside('no tool is forbidden', 'always_holds', trajectory({ forbidden: [], max_calls: 3 })),
  beside('a day for a reply', 'limit_too_high', { type: 'latency', threshold: 999_999_999 }),
  beside('a fortune for a reply', 'limit_too_high', { type: 'cost', budget: 1_000_000 }),
  beside('tokens without end', 'limit_too_high', { type: 'token_usage', max_total: 999_999_999 }),
  beside('calls without end', 'limit_too_high', trajectory({ max_calls: 1_000_000 })),
  beside('calls of one tool without end', 'limit_too_high', trajectory({ maximums: { search: 99_999 } })),
  beside('metrics without end', 'limit_too_high', { type: 'execution_metrics', max_tool_calls: 100_000 }),
  beside('the negation of what can never be', 'never_broken', { type: 'regex', value: 'a^', negate: true }),
  evalFile('a threshold of 0', 'threshold_zero', { threshold: 0, evaluators: [...texts('Zurich')] }),
  file('a threshold of 0 for the file', 'threshold_zero', {
    threshold: 0,
    evalcases: [{ id: 'a', input: 'x', evaluators: texts('Zurich') }],
  }),
  beside('a required score of 0', 'without_effect', { type: 'contains', value: 'lake', required: 0 }),
  evaluators('required without weight', 'without_effect', ...texts('Zurich'), {
    type: 'contains',
    value: 'lake',
    weight: 0,
    required: true,
  }),
  evalFile(
    'skipped by a text',
    'skip_text',
    { skip: 'false', evaluators: texts('Zurich') },
    { evaluators: texts('Bern') },
  ),
  stepTest('a step test skipped by a text', 'skip_text', {
    ...claim({ 'output.includes': 'Zurich' }),
    skip: 'no',
  }),
  evaluators(
    'a member that is required in vain',
    'without_effect',
    composite([{ type: 'contains', value: 'Zurich', required: true }, ...texts('lake')]),
  ),

  // Never true.
  evaluators(
    'no weights',
    'cannot_pass',
    { type: 'contains', value: 'Zurich', weight: 0 },
    { type: 'contains', value: 'lake', weight: 0 },
  ),
  evaluators(
    'a composite without weights',
    'cannot_pass',
    composite([{ type: 'contains', name: 'a', value: 'Zurich' }], {
      aggregator: { type: 'weighted_average', weights: { a: 0 } },
    }),
  ),
  evalFile('fields without weights', 'cannot_pass', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'total', match: 'exact', weight: 0 })],
  }),
  evaluators('an end before the text', 'cannot_pass', { type: 'regex', value: '$Zurich' }),
  evaluators('a beginning behind the text', 'cannot_pass', { type: 'regex', value: 'Zurich^' }),
  evaluators('a class of nothing', 'cannot_pass', { type: 'regex', value: String.raw`[^\s\S]` }),
  evaluators('what is ahead is not there', 'cannot_pass', { type: 'regex', value: '(?=Zurich)Geneva' }),
  evaluators('a boundary where there is none', 'cannot_pass', { type: 'regex', value: String.raw`Zur\bich` }),
  evaluators('a number too long for itself', 'cannot_pass', {
    type: 'regex',
    value: String.raw`^(?=.{5}$)\d{3}$`,
  }),
  stepTest('a claim that nothing matches', 'cannot_pass', claim({ 'output.matches': String.raw`\Z.` })),
  beside('one of several can never hold', 'never_holds', { type: 'regex', value: '(?!)', weight: 0.1 }),
  evaluators('the negation of what always is', 'never_holds', { type: 'contains', value: '', negate: true }),
  evaluators(
    'a schema of two types',
    'cannot_pass',
    schema({ allOf: [{ type: 'string' }, { type: 'number' }] }),
  ),
  evaluators('a range from high to low', 'cannot_pass', schema({ type: 'integer', minimum: 10, maximum: 5 })),
  evaluators('no choice', 'cannot_pass', schema({ enum: [] })),
  evaluators('nothing but not', 'cannot_pass', schema({ not: {} })),
  evaluators(
    'required and not allowed',
    'cannot_pass',
    schema({ type: 'object', required: ['city'], properties: { country: {} }, additionalProperties: false }),
  ),
  evaluators(
    'a required property that cannot be',
    'cannot_pass',
    schema({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', minLength: 5, maxLength: 2 } },
    }),
  ),
  evaluators('a value of another type', 'cannot_pass', schema({ type: 'string', const: 5 })),
  evaluators('more items than allowed', 'cannot_pass', schema({ type: 'array', minItems: 3, maxItems: 1 })),
  evaluators(
    'a text that no pattern allows',
    'cannot_pass',
    schema({ type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^a^' } } }),
  ),
  evaluators('no time', 'limit_too_low', ...texts('Zurich'), { type: 'latency', threshold: 0 }),
  evaluators('a share of a millisecond', 'limit_too_low', ...texts('Zurich'), {
    type: 'latency',
    threshold: 0.8,
  }),
  evaluators('no tokens', 'limit_too_low', ...texts('Zurich'), { type: 'token_usage', max_output: 0 }),
  evaluators('no money', 'limit_too_low', ...texts('Zurich'), { type: 'cost', budget: 0 }),
  evaluators('no message', 'limit_too_low', ...texts('Zurich'), {
    type: 'execution_metrics',
    max_llm_calls: 0,
  }),
  evaluators('a negative budget', 'range', { type: 'cost', budget: -1 }),
  evaluators('a threshold in percent', 'range', { type: 'contains', value: 'x', required: 80 }),
  evalFile('a memory pattern for nothing', 'cannot_pass', {
    evaluators: [{ type: 'memory', path: 'city', matches: 'x^' }],
  }),
  stepTest('a number for a tool', 'never_equal', claim({ tools_used: [5] })),

  // Contradictions about the output.
  evaluators('a text and its negation', 'cannot_pass', ...texts('Paris'), {
    type: 'contains',
    value: 'Paris',
    negate: true,
  }),
  evaluators('a text and the negation of a part', 'cannot_pass', ...texts('Paris, France'), {
    type: 'icontains',
    value: 'FRANCE',
    negate: true,
  }),
  evaluators('a text and a pattern against it', 'cannot_pass', ...texts('42 apples'), {
    type: 'regex',
    value: String.raw`\d`,
    negate: true,
  }),
  evaluators(
    'two beginnings',
    'cannot_pass',
    { type: 'starts_with', value: 'Yes' },
    { type: 'starts_with', value: 'No' },
  ),
  evaluators(
    'two ends',
    'cannot_pass',
    { type: 'ends_with', value: '.' },
    { type: 'regex', value: String.raw`!\Z` },
  ),
  evaluators(
    'two texts that are the whole',
    'cannot_pass',
    { type: 'equals', value: 'Yes' },
    { type: 'equals', value: 'yes' },
  ),
  evaluators(
    'digits only, and a word',
    'cannot_pass',
    { type: 'regex', value: String.raw`^\d+$` },
    ...texts('EUR'),
  ),
  evaluators(
    'two lengths',
    'cannot_pass',
    { type: 'regex', value: '^.{1,10}$' },
    ...texts('a text of more than ten'),
  ),
  evaluators(
    'one of two, and neither',
    'cannot_pass',
    { type: 'contains_any', value: ['yes', 'no'] },
    ...['yes', 'no'].map((value) => ({ type: 'contains', value, negate: true })),
  ),
  evaluators('no JSON and JSON', 'cannot_pass', { type: 'is_json' }, { type: 'starts_with', value: 'Sure' }),
  evaluators(
    'JSON, but not as it is',
    'cannot_pass',
    { type: 'equals', value: 'Zurich' },
    { type: 'is_json' },
  ),
  evaluators(
    'a contradiction that a low threshold hides',
    'cannot_pass',
    composite([...texts('Paris'), { type: 'contains', value: 'Paris', negate: true }]),
  ),
  evalFile('a contradiction under a low threshold', 'never_holds', {
    threshold: 0.5,
    evaluators: [...texts('Paris'), { type: 'regex', value: 'Paris', negate: true }],
  }),
  stepTest(
    'equals and includes',
    'cannot_pass',
    claim({ 'output.equals': 'Zurich', 'output.includes': 'Geneva' }),
  ),
  stepTest(
    'includes and matches',
    'cannot_pass',
    claim({ 'output.includes': 'Zurich', 'output.matches': '^[a-z ]+$' }),
  ),
  evalFile('the expected answer fails', 'expected_answer_fails', {
    expected_output: 'Paris',
    evaluators: texts('London'),
  }),
  evalFile('the expected answer is forbidden', 'expected_answer_fails', {
    expected_output: 'It is Paris',
    evaluators: [...texts('It is'), { type: 'contains', value: 'Paris', negate: true }],
  }),
  evalFile('match and equals differ', 'cannot_pass', {
    expected_output: 'Paris',
    evaluators: [{ type: 'match' }, { type: 'equals', value: 'London' }],
  }),
  evalFile('nothing to match with', 'cannot_pass', { evaluators: [{ type: 'match' }] }),
  evalFile('the last step against the whole', 'cannot_pass', {
    input: undefined,
    steps: [
      { input: 'a', assert: { 'output.includes': 'Bern' } },
      { input: 'b', assert: { 'output.equals': 'Zurich' } },
    ],
    evaluators: [{ type: 'equals', value: 'Geneva' }],
  }),

  // Contradictions about tools.
  evaluators(
    'expected and forbidden',
    'cannot_pass',
    trajectory({ mode: 'in_order', expected: calls('search', 'book'), forbidden: ['book'] }),
  ),
  evaluators(
    'expected and forbidden, hidden among many',
    'cannot_pass',
    trajectory({ mode: 'any_order', expected: calls('a', 'b', 'c', 'd', 'e', 'f'), forbidden: ['f'] }),
  ),
  evaluators(
    'more at least than at most in all',
    'cannot_pass',
    trajectory({ minimums: { search: 3 }, max_calls: 2 }),
  ),
  evaluators(
    'more at least than at most',
    'cannot_pass',
    trajectory({ minimums: { search: 3 }, maximums: { search: 1 } }),
  ),
  evaluators(
    'at least once and forbidden',
    'cannot_pass',
    trajectory({ minimums: { search: 1 }, forbidden: ['search'] }),
  ),
  evaluators(
    'more expected than allowed',
    'cannot_pass',
    trajectory({ mode: 'exact', expected: calls('a', 'b', 'c'), max_calls: 2 }),
  ),
  evaluators(
    'exactly these, and another at least',
    'cannot_pass',
    trajectory({ mode: 'exact', expected: calls('a'), minimums: { b: 1 } }),
  ),
  evaluators(
    'only these, and another at least',
    'cannot_pass',
    trajectory({ mode: 'subset', expected: calls('a'), minimums: { b: 1 } }),
  ),
  evaluators(
    'two orders of all calls',
    'cannot_pass',
    trajectory({ mode: 'exact', expected: calls('a', 'b') }),
    trajectory({ mode: 'exact', expected: calls('b', 'a') }),
  ),
  evaluators(
    'forbidden by another evaluator',
    'cannot_pass',
    trajectory({ mode: 'any_order', expected: calls('search') }),
    trajectory({ forbidden: ['search'] }),
  ),
  evaluators(
    'more calls than the metrics allow',
    'cannot_pass',
    trajectory({ mode: 'in_order', expected: calls('a', 'b', 'c') }),
    { type: 'execution_metrics', max_tool_calls: 1 },
  ),
  evaluators(
    'two inputs for one call',
    'cannot_pass',
    trajectory({
      mode: 'any_order',
      expected: [{ tool: 'book', args: { city: 'Bern' } }],
      maximums: { book: 1 },
    }),
    trajectory({ mode: 'any_order', expected: [{ tool: 'book', args: { city: 'Zurich' } }] }),
  ),
  evaluators(
    'more at least than subset counts',
    'cannot_pass',
    trajectory({ mode: 'subset', counts: true, expected: calls('a', 'b'), minimums: { a: 2 } }),
  ),
  evaluators(
    'an argument that is needed and not allowed',
    'cannot_pass',
    trajectory({
      mode: 'exact',
      expected: [{ tool: 'book', args: { city: 'Bern' }, args_match: 'subset' }],
    }),
    trajectory({ mode: 'superset', expected: [{ tool: 'book', args: { seat: '4A' } }] }),
  ),
  evaluators(
    'two values at one depth',
    'cannot_pass',
    trajectory({
      mode: 'exact',
      expected: [{ tool: 'find', args: { at: { x: 1, y: 1 } }, args_match: 'deep_partial' }],
    }),
    trajectory({
      mode: 'superset',
      expected: [{ tool: 'find', args: { at: { x: 2 } }, args_match: ['at.x'] }],
    }),
  ),
  stepTest('two lists of tools', 'cannot_pass', claim({ tools_used: ['a'], tools_used_2: ['a', 'b'] })),
  evalFile('no tools in the steps, one in the whole', 'cannot_pass', {
    input: undefined,
    steps: [
      { input: 'a', assert: { tools_used: ['search'], 'output.includes': 'found' } },
      { input: 'b', assert: { tools_used: ['book'], 'output.includes': 'done' } },
    ],
    evaluators: [trajectory({ forbidden: ['search'] })],
  }),
  evalFile('fewer in the whole than in the steps', 'cannot_pass', {
    input: undefined,
    steps: [
      { input: 'a', assert: { tools_used: ['search'] } },
      { input: 'b', assert: { tools_used: ['book'] } },
    ],
    evaluators: [trajectory({ max_calls: 1 })],
  }),
  evalFile('the expected messages call what is forbidden', 'expected_answer_fails', {
    expected_messages: [{ role: 'assistant', content: 'Booked', tool_calls: [{ tool: 'book' }] }],
    evaluators: [...texts('Booked'), trajectory({ forbidden: ['book'] })],
  }),

  // Contradictions about memory.
  evaluators(
    'there and not there',
    'cannot_pass',
    { type: 'memory', path: 'city', exists: true },
    { type: 'memory', path: 'city', exists: false },
  ),
  evaluators(
    'inside of what is not there',
    'cannot_pass',
    { type: 'memory', path: 'user', exists: false },
    { type: 'memory', path: 'user.name', equals: 'Ada' },
  ),
  evaluators(
    'two values',
    'cannot_pass',
    { type: 'memory', path: 'city', equals: 'Bern' },
    { type: 'memory', path: 'city', equals: 'Zurich' },
  ),
  evaluators(
    'a value and its negation',
    'cannot_pass',
    { type: 'memory', path: 'city', equals: 'Bern' },
    { type: 'memory', path: 'city', equals: 'Bern', negate: true },
  ),
  evaluators(
    'a value and another pattern',
    'cannot_pass',
    { type: 'memory', path: 'code', equals: 'AB12' },
    { type: 'memory', path: 'code', matches: String.raw`^\d+$` },
  ),
  evaluators(
    'two patterns',
    'cannot_pass',
    { type: 'memory', path: 'code', matches: '^A' },
    { type: 'memory', path: 'code', matches: '^B' },
  ),
  evaluators(
    'a text with something inside',
    'cannot_pass',
    { type: 'memory', path: 'user', matches: 'Ada' },
    { type: 'memory', path: 'user.name', exists: true },
  ),
  stepTest(
    'a value and one inside of it',
    'cannot_pass',
    claim({ 'memory.user': { name: 'Ada' }, 'memory.user.name': 'Bob' }),
  ),
  stepTest('a number and one inside of it', 'cannot_pass', claim({ 'memory.a': 1, 'memory.a.b': 2 })),

  // Passed by agents that take no trouble.
  stepTest('no tools, and nothing else', 'idle_passes', claim({ tools_used: [] })),
  evaluators('only what must not be', 'idle_passes', { type: 'contains', value: 'password', negate: true }),
  evaluators('only limits', 'idle_passes', { type: 'latency', threshold: 2000 }, { type: 'cost', budget: 1 }),
  evaluators('the empty answer', 'idle_passes', { type: 'equals', value: '' }),
  stepTest('a value that need not be there', 'idle_passes', claim({ 'memory.city': null })),
  evalFile('half of it is enough', 'cannot_fail', {
    threshold: 0.5,
    evaluators: [...texts('Zurich'), { type: 'contains', value: 'error', negate: true }],
  }),
  evalFile('the answer stands in the input', 'echo_passes', {
    input: 'Is Paris the capital of France?',
    evaluators: texts('Paris'),
  }),
  evalFile('the answer stands in the input, in another case', 'echo_passes', {
    input: 'Classify as POSITIVE or NEGATIVE: I love it',
    evaluators: [{ type: 'icontains', value: 'positive' }],
  }),
  stepTest('the answer of each step stands in its input', 'echo_passes', {
    steps: [
      { input: 'My name is Ada', assert: { 'output.includes': 'Ada' } },
      { input: 'Call me Bob', assert: { 'output.matches': 'Bob', tools_used: [] } },
    ],
  }),
  evalFile('the expected answer is the input', 'echo_passes', {
    input: 'Guten Tag',
    expected_output: 'Guten Tag',
    evaluators: [{ type: 'match' }],
  }),
  evaluators('any text', 'echo_passes', { type: 'regex', value: '.+' }),
  evaluators('any letter', 'echo_passes', { type: 'regex', value: '[a-z]' }),
  stepTest('memory is as it was', 'unchanged_memory_passes', {
    memory: { city: 'Bern' },
    ...claim({ 'memory.city': 'Bern' }),
  }),
  stepTest('memory is as it was, and the input is repeated', 'echo_passes memory_unchanged', {
    memory: { seat: '12A' },
    input: 'Change my seat to 12A',
    assert: { 'memory.seat': '12A', 'output.includes': '12A' },
  }),
  stepTest('what is asked for is there already', 'memory_unchanged', {
    memory: { seat: '12A' },
    input: 'Change my seat to 12A',
    assert: { 'memory.seat': '12A', 'output.includes': 'changed' },
  }),
  stepTest('a switch that is on already', 'memory_unchanged', {
    memory: { newsletter: true },
    input: 'Sign me up for the newsletter',
    assert: { 'memory.newsletter': true, 'output.includes': 'welcome' },
  }),
  evaluators(
    'an object without anything',
    'empty_json_passes',
    schema({ type: 'object', properties: { city: { type: 'string' } } }),
  ),
  evaluators('a list without anything', 'empty_json_passes', schema({ type: 'array', items: ITEM })),
  evaluators('a list of whatever', 'empty_json_passes', schema({ type: 'array' })),
  evaluators(
    'an object that need not be one',
    'untyped_schema',
    schema({ required: ['order'], properties: { order: ITEM } }),
  ),
  evaluators('a number that need not be one', 'untyped_schema', schema({ minimum: 1, maximum: 4 })),
  evaluators('a list that need not be one', 'untyped_schema', schema({ minItems: 1, items: ITEM })),
  evaluators('a text that need not be one', 'untyped_schema', schema({ pattern: '^[A-Z]{3}$' })),

  // Weaker than it looks.
  evaluators('seven evaluators', 'outvoted', ...texts('a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7')),
  evaluators('five evaluators', 'outvoted', ...texts('a1', 'b2', 'c3', 'd4'), {
    type: 'latency',
    threshold: 900,
  }),
  evaluators('a composite of six', 'outvoted', composite(texts('a1', 'b2', 'c3', 'd4', 'e5', 'f6'))),
  evaluators('a part of a composite', 'outvoted', composite(texts('a1', 'b2', 'c3')), ...texts('d4')),
  evaluators(
    'next to no weight',
    'outvoted',
    { type: 'contains', value: 'Zurich', weight: 100 },
    { type: 'contains', value: 'lake', weight: 1 },
  ),
  evalFile('a date that can be two days', 'ambiguous_date', {
    expected_output: { due: '03/04/2026' },
    evaluators: [fields({ path: 'due', match: 'date' })],
  }),
  evalFile('a tolerance larger than the value', 'loose_tolerance', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'total', match: 'numeric_tolerance', tolerance: 50 })],
  }),
  evalFile('a tolerance as large as the value', 'loose_tolerance', {
    expected_output: { total: 42 },
    evaluators: [fields({ path: 'total', match: 'numeric_tolerance', tolerance: 42 })],
  }),
  evalFile('a share in percent', 'loose_tolerance', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'total', match: 'numeric_tolerance', tolerance: 5, relative: true })],
  }),
  evalFile('a field that is not expected', 'cannot_pass', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'sum', match: 'exact' })],
  }),
  evalFile('an optional field that is not expected', 'not_compared', {
    expected_output: INVOICE,
    evaluators: [
      fields({ path: 'total', match: 'exact' }, { path: 'vender.name', match: 'exact', required: false }),
    ],
  }),
  evalFile('only an optional field that is not expected', 'not_compared cannot_pass', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'vender.name', match: 'exact', required: false })],
  }),
  evalFile('a date that no format reads', 'cannot_pass', {
    expected_output: { due: '1 March 26' },
    evaluators: [fields({ path: 'due', match: 'date', formats: ['DD.MM.YYYY'] })],
  }),
  evalFile('a number that is none', 'cannot_pass', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'vendor.name', match: 'numeric_tolerance', tolerance: 1 })],
  }),
  evalFile('a tolerance for exact values', 'without_effect', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'total', match: 'exact', tolerance: 1 })],
  }),
  evalFile('a field twice', 'duplicate_check', {
    expected_output: INVOICE,
    evaluators: [fields({ path: 'total', match: 'exact' }, { path: 'total', match: 'exact' })],
  }),
  evaluators(
    'a misspelled keyword',
    'schema_keyword',
    schema({ type: 'object', requierd: ['city'], minProperties: 1 }),
  ),
  evaluators(
    'a format',
    'schema_keyword',
    schema({ type: 'object', required: ['due'], properties: { due: { type: 'string', format: 'date' } } }),
  ),
  evaluators('a check twice', 'duplicate_check', ...texts('Zurich', 'Zurich')),
  evaluators(
    'a trajectory twice, keys in another order',
    'duplicate_check',
    trajectory({ mode: 'in_order', expected: [{ tool: 'a', args: { x: 1, y: 2 } }] }),
    { expected: [{ args: { y: 2, x: 1 }, tool: 'a' }], mode: 'in_order', type: 'tool_trajectory' },
  ),
  stepTest(
    'a claim twice',
    'duplicate_check',
    claim({ 'output.includes': 'Zurich', 'output.includes_2': 'Zurich' }),
  ),
  evaluators('a text twice in a list', 'duplicate_check', {
    type: 'contains_all',
    value: ['Zurich', 'lake', 'Zurich'],
  }),
  evaluators('a member twice', 'duplicate_check', composite(texts('Zurich', 'Zurich'))),
  evalFile(
    'a test twice',
    'duplicate_test',
    { evaluators: [...texts('Zurich'), { type: 'latency', threshold: 900 }] },
    { evaluators: [{ type: 'latency', threshold: 900 }, ...texts('Zurich')] },
  ),
  raw('a line of a dataset twice', 'duplicate_test', {
    '.jsonl': [
      ['a', 'Zurich'],
      ['b', 'Bern'],
      ['c', 'Zurich'],
    ]
      .map(([id, value]) => JSON.stringify({ id, input: 'Where?', evaluators: texts(value!) }))
      .join('\n'),
  }),
  raw('a test twice in a list', 'duplicate_test', {
    '.test.yaml': `- id: first\n  input: Where?\n  assert: { output.includes: Zurich }\n- id: second\n  input: Where?\n  assert:\n    output.includes: Zurich\n`,
  }),
  raw('a name of a tool misspelled', 'odd_name', {
    '.test.yaml': ['search_flights', 'search_flights', 'serach_flights']
      .map((tool, index) => `- input: Flights ${index}?\n  assert: { tools_used: [${tool}] }\n`)
      .join(''),
  }),
  raw('a path in memory misspelled', 'odd_name', {
    '.test.yaml': ['address', 'adress', 'address']
      .map((key, index) => `- input: I moved, ${index}\n  assert: { memory.user.${key}: Bern }\n`)
      .join(''),
  }),
  evalFile('JSON of which nothing is compared', 'always_holds', {
    expected_output: {},
    evaluators: [{ type: 'match', partial: true }],
  }),
  evaluators(
    'arguments that are ignored',
    'without_effect',
    trajectory({ mode: 'in_order', args_match: 'ignore', expected: [{ tool: 'a', args: { x: 1 } }] }),
  ),
  evaluators(
    'keys that an expected call does not have',
    'missing_argument',
    trajectory({
      mode: 'in_order',
      args_match: ['q'],
      expected: [
        { tool: 'a', args: { q: 1 } },
        { tool: 'b', args: { id: 1 } },
      ],
    }),
  ),
  evaluators(
    'a way to compare no arguments',
    'without_effect',
    trajectory({ mode: 'in_order', expected: [{ tool: 'a', args_match: 'exact' }] }),
  ),
  evaluators(
    'parallel calls without an order',
    'without_effect',
    trajectory({ mode: 'superset', parallel: 'any_order', expected: calls('a', 'b') }),
  ),
  evaluators(
    'counts without subset',
    'without_effect',
    trajectory({ mode: 'unordered', counts: true, expected: calls('a', 'b') }),
  ),
  evaluators(
    'a key that no argument has',
    'missing_argument',
    trajectory({ mode: 'in_order', expected: [{ tool: 'a', args: { query: 1 }, args_match: ['qery'] }] }),
  ),
  evalFile('an expected answer that its schema refuses', 'cannot_pass', {
    expected_output: { id: 5 },
    evaluators: [{ type: 'match' }, schema({ type: 'object', required: ['total'] })],
  }),
  evalFile('a rubric twice', 'duplicate_check', {
    evaluators: texts('Zurich'),
    rubrics: ['names the lake', 'names the lake'],
  }),
  raw('a sidecar with an empty check', 'always_holds', {
    '.jsonl': `${JSON.stringify({ id: 'a', input: 'Where?', expected_output: 'Zurich' })}\n`,
    '.yaml': 'evaluators:\n  - type: match\n  - type: contains\n    value: ""\n',
  }),
  raw('a sidecar that lets everything pass', 'threshold_zero', {
    '.jsonl': `${JSON.stringify({ id: 'a', input: 'Where?', evaluators: texts('Zurich') })}\n`,
    '.yaml': 'threshold: 0\n',
  }),
  raw('a sidecar whose evaluator no line satisfies', 'cannot_pass', {
    '.jsonl': `${JSON.stringify({ id: 'a', input: 'Where?', expected_output: 'Zurich' })}\n`,
    '.yaml': 'evaluators:\n  - { type: match }\n  - { type: regex, value: "^\\\\d+$" }\n',
  }),
  raw('expected that is not checked', 'expected_ignored', {
    '.test.yaml':
      'steps:\n  - input: Where?\n    assert: { output.includes: Zurich }\n    expected: { output: Zurich }\n',
  }),
];
