import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Access control: a request needs the token, in the cookie that the first address sets or as a bearer. */
export class Access {
  readonly token: string;
  private readonly digest: Buffer;
  private readonly tickets = new Set<string>();

  constructor(token = createToken()) {
    this.token = token;
    this.digest = digestOf(token);
  }

  isToken(text: string): boolean {
    return timingSafeEqual(digestOf(text), this.digest);
  }

  /**
   * Replaces the token once. Other users of the machine can see the arguments of the programs that open a browser,
   * and of the browser itself: this value is useless after its first use.
   */
  createTicket(): string {
    const ticket = createToken();
    this.tickets.add(digestOf(ticket).toString('hex'));
    return ticket;
  }

  takeTicket(text: string): boolean {
    return this.tickets.delete(digestOf(text).toString('hex'));
  }
}

function createToken(): string {
  return randomBytes(24).toString('base64url');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
