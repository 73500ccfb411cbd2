/** A cassette that cannot be used, or a call that it does not hold. The message says what to do. */
export class CassetteError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CassetteError';
  }
}
