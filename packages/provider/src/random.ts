import { randomFillSync } from 'node:crypto';

const stock = Buffer.allocUnsafeSlow(8_192);
let used = stock.length;

/** Hands bytes of the stock to `read`, which copies them, and wipes them there: none is given twice, none stays behind. */
const take = <T>(sizeBytes: number, read: (start: number, end: number) => T): T => {
  if (sizeBytes > stock.length) throw new RangeError(`more than ${stock.length} random bytes at once`);
  if (used + sizeBytes > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  const start = used;
  used += sizeBytes;
  const result = read(start, used);
  stock.fill(0, start, used);
  return result;
};

/**
 * Random bytes for secrets and nonces, taken from a stock of the process: a tenth of the cost of asking the system for
 * each alone. Throws RangeError for more than 8,192.
 */
export const takeRandom = (sizeBytes: number): Buffer =>
  take(sizeBytes, (start, end) => Buffer.from(stock.subarray(start, end)));

/** The same, base64url. */
export const randomText = (sizeBytes: number): string =>
  take(sizeBytes, (start, end) => stock.toString('base64url', start, end));
