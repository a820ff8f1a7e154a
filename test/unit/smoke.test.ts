import { expect, test } from 'vitest';

test('the unit runner runs', () => {
  expect(1 + 1).toBe(2);
});
