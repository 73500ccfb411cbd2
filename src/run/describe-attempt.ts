import type { AttemptRecord } from '../model/record.ts';
import type { Attempt } from './attempt.ts';

type Description = Pick<
  AttemptRecord,
  | 'id'
  | 'file'
  | 'line'
  | 'column'
  | 'test'
  | 'description'
  | 'tags'
  | 'metadata'
  | 'target'
  | 'repeat'
  | 'pass_at_least'
  | 'fingerprint'
>;

/** What a record says of its attempt, whatever came of it. */
export function describeAttempt({ id, file, test, target, repeat, fingerprint }: Attempt): Description {
  return {
    id,
    file,
    line: test.place.line,
    column: test.place.column,
    test: test.id,
    description: test.description,
    tags: test.tags,
    metadata: test.metadata,
    target,
    repeat,
    pass_at_least: test.pass_at_least,
    fingerprint,
  };
}
