/** `92.3%`; with more digits where rounding would give all or none. */
export function formatPercent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`;
  for (let digits = 1; digits < 5; digits++) {
    const text = (share * 100).toFixed(digits).replace(/\.?0+$/, '');
    if (text !== '0' && text !== '100') return `${text}%`;
  }
  return share > 0.5 ? 'nearly 100%' : 'nearly 0%';
}
