import { expect, test } from 'vitest';
import { wholeNumbers } from '../src/lib/api';

test('numbers of records beyond 32 bits are read exactly', () => {
  const numbers = [0, 1, 2 ** 32 - 1, 2 ** 32, 5_000_000_007, 2 ** 53 - 1];
  const bytes = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((number, i) => bytes.setBigUint64(8 * i, BigInt(number), true));
  expect([...wholeNumbers(bytes.buffer as ArrayBuffer)]).toEqual(numbers);
});
