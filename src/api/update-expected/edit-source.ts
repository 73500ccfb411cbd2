import { jsonEqual } from '../../base/match/json-equal.ts';
import { isJsonObject, setOwn, type Json } from '../../base/model/json.ts';
import { formatPath, type PathSegment, type Place } from '../../base/model/place.ts';
import { applyEdits, toEdit, type Edit } from './edit-text.ts';
import type { FailedAssertion, FailedTest } from './failed-tests.ts';
import { planChanges, type ValueChange, type SourceDocument } from './plan-changes.ts';
import { parseSource } from './source-tree.ts';

/** A text that may be edited: a file, or a line of a dataset. */
export interface EditableText {
  readonly text: string;
  readonly isJson: boolean;
  offsetOf(place: Pick<Place, 'line' | 'column'>): number;
  lineOf(offset: number): number;
  /** The value of the text, as a run reads it; undefined if it cannot be read. */
  read(text: string): Json | undefined;
}

interface OfTest {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  /** How the author named the assertion. */
  readonly name: string;
}

export interface UpdatedValue extends OfTest {
  readonly old: Json | undefined;
  readonly value: Json;
}

export interface NotUpdated extends OfTest {
  readonly reason: string;
}

export interface EditedSource {
  readonly text: string;
  readonly updated: readonly UpdatedValue[];
  readonly notUpdated: readonly NotUpdated[];
}

interface PlannedUpdate {
  readonly assertion: OfTest;
  readonly changes: readonly ValueChange[];
  readonly edits: readonly Edit[];
}

/** Writes the actual values of failed tests into a text. Every other character stays as it is. */
export async function editSource(source: EditableText, tests: readonly FailedTest[]): Promise<EditedSource> {
  const { text } = source;
  const value = source.read(text);
  const node = await parseSource(text);
  const planned: PlannedUpdate[] = [];
  const notUpdated: NotUpdated[] = [];
  for (const test of tests) {
    for (const failed of test.assertions) {
      const assertion = describe(test, failed);
      const update =
        value === undefined || node === undefined
          ? 'the file cannot be read'
          : plan(failed, test, { source, document: toDocument(source, node, value), assertion });
      if (typeof update === 'string') notUpdated.push({ ...assertion, reason: update });
      else planned.push(update);
    }
  }
  const accepted = value === undefined ? [] : accept(source, value, planned);
  for (const { assertion } of planned.filter((update) => !accepted.includes(update)))
    notUpdated.push({ ...assertion, reason: 'it cannot be written without changing something else' });
  return {
    text: edit(text, accepted),
    updated: accepted.flatMap((update) => toUpdated(update, source)),
    notUpdated,
  };
}

function toDocument(
  { offsetOf }: EditableText,
  node: NonNullable<Awaited<ReturnType<typeof parseSource>>>,
  value: Json,
): SourceDocument {
  return { root: { node, path: [], isShared: node.isMarked }, value, offsetOf };
}

interface Planning {
  readonly source: EditableText;
  readonly document: SourceDocument;
  readonly assertion: OfTest;
}

function plan(
  failed: FailedAssertion,
  test: FailedTest,
  { source, document, assertion }: Planning,
): PlannedUpdate | string {
  const planned = planChanges(failed, test, document);
  if ('refusal' in planned) return planned.refusal;
  const edits: Edit[] = [];
  for (const change of planned.changes) {
    const made = toEdit(change, { text: source.text, root: document.root, isJson: source.isJson });
    if ('refusal' in made) return made.refusal;
    edits.push(made);
  }
  return { assertion, changes: planned.changes, edits };
}

/** What can be written so that a run reads exactly the intended value, and everything else as before. */
function accept(
  source: EditableText,
  value: Json,
  planned: readonly PlannedUpdate[],
): readonly PlannedUpdate[] {
  const isRight = (updates: readonly PlannedUpdate[]): boolean => {
    if (overlap(updates.flatMap(({ edits }) => edits))) return false;
    const meant = updates.flatMap(({ changes }) => changes).reduce(withChange, value);
    const read = source.read(edit(source.text, updates));
    return read !== undefined && jsonEqual(read, meant);
  };
  if (isRight(planned)) return planned;
  const accepted: PlannedUpdate[] = [];
  for (const update of planned) if (isRight([...accepted, update])) accepted.push(update);
  return accepted;
}

function edit(text: string, updates: readonly PlannedUpdate[]): string {
  return applyEdits(
    text,
    updates.flatMap(({ edits }) => edits),
  );
}

function overlap(edits: readonly Edit[]): boolean {
  const ordered = edits.toSorted((a, b) => a.start - b.start);
  return ordered.some(({ start, end }, index) => {
    const before = ordered[index - 1];
    return (
      before !== undefined &&
      (before.end > start || (before.start === start && before.end === end && end > start))
    );
  });
}

function withChange(root: Json, { path, value }: ValueChange): Json {
  return put(root, path, value);
}

function put(root: Json, [segment, ...deeper]: readonly PathSegment[], value: Json): Json {
  if (segment === undefined) return value;
  if (Array.isArray(root))
    return root.map((item: Json, index) => (index === segment ? put(item, deeper, value) : item));
  const copy: Record<string, Json> = {};
  if (isJsonObject(root)) for (const key of Object.keys(root)) setOwn(copy, key, root[key]!);
  const key = String(segment);
  setOwn(copy, key, put(Object.hasOwn(copy, key) ? copy[key]! : null, deeper, value));
  return copy;
}

function toUpdated(
  { assertion, changes, edits }: PlannedUpdate,
  { lineOf }: EditableText,
): readonly UpdatedValue[] {
  return changes.map(({ below, old, value }, index) => ({
    ...assertion,
    name: [assertion.name, formatPath(below)].filter((part) => part !== '').join(' '),
    line: lineOf(edits[index]!.start),
    old,
    value,
  }));
}

function describe({ test, file }: FailedTest, { result }: FailedAssertion): OfTest {
  return { file, line: result.line, test, name: result.name };
}
