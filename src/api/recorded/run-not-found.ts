/** A run that is named and is not there, or not as it is wanted. */
export class RunNotFound extends Error {
  constructor(name: string, purpose = 'resume') {
    super(`there is no run "${name}" to ${purpose}`);
  }
}
