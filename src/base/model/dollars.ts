/** `$0.42`; below ten cents, the first two significant digits: `$0.0031`. */
export function formatDollars(amount: number): string {
  if (amount === 0 || amount >= 0.1) return `$${amount.toFixed(2)}`;
  const digits = Math.min(10, Math.ceil(-Math.log10(amount)) + 1);
  return `$${amount.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}
