/** Writes an amount in cents the way a receipt shows it. */
export function formatCents(cents) {
  const sign = cents < 0 ? '-' : '';
  const amount = Math.abs(cents);
  return `${sign}${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
}
