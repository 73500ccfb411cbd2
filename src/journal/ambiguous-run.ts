const MOST_NAMED = 5;

/** The beginning of an id that several runs share: taking one of them would be a guess. */
export class AmbiguousRun extends Error {
  override readonly name = 'AmbiguousRun';
  readonly hint = 'name more of the id, or `latest`';

  constructor(name: string, ids: readonly string[]) {
    const named = ids.slice(-MOST_NAMED).join(', ');
    const more = ids.length > MOST_NAMED ? ', ...' : '';
    super(`${ids.length} runs begin with "${name}": ${named}${more}`);
  }
}
