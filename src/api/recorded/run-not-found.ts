/** A named run that does not exist, or does not fit. */
export class RunNotFound extends Error {
  constructor(name: string, purpose = 'resume') {
    super(`there is no run "${name}" to ${purpose}`);
  }
}
