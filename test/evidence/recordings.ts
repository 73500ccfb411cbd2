import { readFileSync } from 'node:fs';
import { parseJsonLines, parseServerSentEvents } from '../../src/evidence/parse-events.ts';
import type { Json } from '../../src/base/model/json.ts';
import { HAND_CASES } from './hand-cases.ts';

/** What an agent returned, and what must be read from it. A field that is missing in `expected` is not compared. */
export interface Recording {
  readonly id: string;
  readonly input: string;
  readonly value: Json;
  readonly expected: ExpectedTrace;
}

/** Null: the value does not tell. */
export interface ExpectedTrace {
  readonly output?: string | null;
  readonly tool_calls?: readonly ExpectedCall[] | null;
  readonly token_usage?: Readonly<Record<string, number>> | null;
  readonly models?: readonly string[];
  readonly model_calls?: number | null;
  readonly cost_usd?: number;
  readonly session_id?: string;
  readonly failure?: string | null;
  readonly usage_complete?: boolean;
  /** Part of the place or of the form of what may hide calls. Null: nothing does. */
  readonly gap?: string | null;
}

export interface ExpectedCall {
  readonly tool: string;
  readonly id?: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly status?: string;
  readonly agent?: string;
  readonly executed_by?: string;
  readonly duration_ms?: number;
  /** The call was requested, and its result is unknown. */
  readonly result?: 'never seen';
}

const FOLDER = new URL('../fixtures/evidence/results/', import.meta.url);

interface Entry {
  readonly id: string;
  readonly input: string;
  readonly files: readonly string[];
  readonly expected: string;
}

export const RECORDINGS: readonly Recording[] = [
  ...(JSON.parse(read('index.json')) as readonly Entry[]).map(({ id, input, files, expected }) => ({
    id,
    input,
    value: readValue(files[0]!),
    expected: JSON.parse(read(expected)) as ExpectedTrace,
  })),
  ...HAND_CASES,
];

function readValue(file: string): Json {
  if (file.endsWith('.jsonl')) return parseJsonLines(read(file)).events;
  return file.endsWith('.txt') ? parseServerSentEvents(read(file)).events : (JSON.parse(read(file)) as Json);
}

function read(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}
