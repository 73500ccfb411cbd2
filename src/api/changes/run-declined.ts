/** Somebody was asked whether a run should start, and said no. */
export class RunDeclined extends Error {
  override readonly name = 'RunDeclined';

  constructor() {
    super('the run was not started');
  }
}
