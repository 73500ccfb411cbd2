/** Why a tool does not do what a client wants: what is wrong, and what to do. */
export class Refusal extends Error {
  constructor(message: string, hint?: string) {
    super(hint === undefined ? message : `${message}\nhint: ${hint}`);
    this.name = 'Refusal';
  }
}
