/** Why a request is not served, for people, with the status of the answer. */
export class RequestRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
