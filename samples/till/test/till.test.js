import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cart } from '../src/cart.js';
import { formatCents } from '../src/money.js';
import { receipt } from '../src/receipt.js';

test('cents are shown with two digits', () => {
  assert.equal(formatCents(705), '7.05');
});

test('a cart adds up its lines', () => {
  const cart = new Cart();
  cart.add('Apple', 40, 3);
  cart.add('Bread', 295);
  assert.equal(cart.total, 415);
});

test('a receipt names every item', () => {
  const cart = new Cart();
  cart.add('Apple', 40);
  assert.match(receipt(cart), /1 x Apple\s+0\.40/);
});
