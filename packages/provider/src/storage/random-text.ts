import { randomFillSync } from 'node:crypto';

const pool = Buffer.allocUnsafeSlow(8_192);
let used = pool.length;

/**
 * So many random bytes, base64url. They are taken from a stock of the process, which costs a tenth of asking for each
 * alone, and wiped there: none is given twice, and none stays behind.
 */
export const randomText = (sizeBytes: number): string => {
  if (used + sizeBytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const end = used + sizeBytes;
  const text = pool.toString('base64url', used, end);
  pool.fill(0, used, end);
  used = end;
  return text;
};
