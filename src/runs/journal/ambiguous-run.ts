const MOST_NAMED = 5;

/** The start of an id that several runs share: choosing one of them would be a guess. */
export class AmbiguousRun extends Error {
  override readonly name = 'AmbiguousRun';
  readonly hint = 'add more characters of the id, or use `latest`';

  constructor(name: string, ids: readonly string[]) {
    const named = ids.slice(-MOST_NAMED).join(', ');
    const more = ids.length > MOST_NAMED ? ', ...' : '';
    super(`${ids.length} runs start with "${name}": ${named}${more}`);
  }
}
