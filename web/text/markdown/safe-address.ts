/** The address of a link that may be followed: of the web, or of a mail. Undefined for every other one. */
export function safeAddress(address: string): string | undefined {
  // Browsers skip spaces and controls inside of an address: what is not plain is not a link.
  if (address.length > MAX_LENGTH || /[^\u0021-\u007e\u00a0-\uffff]/.test(address)) return undefined;
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return undefined;
  try {
    const { protocol, href } = new URL(address);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

const MAX_LENGTH = 4000;
