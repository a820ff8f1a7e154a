import { formatCents } from './money.js';

const width = 28;

/** Returns the receipt as text, one line for each kind of item. */
export function receipt(cart) {
  const rows = cart.lines.map(({ name, cents, quantity }) =>
    row(`${quantity} x ${name}`, formatCents(cents * quantity)),
  );
  return [...rows, '-'.repeat(width), row('Total', formatCents(cart.total))].join('\n');
}

function row(left, right) {
  return left.padEnd(width - right.length) + right;
}
