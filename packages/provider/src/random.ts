import { randomFillSync } from 'node:crypto';

const blockBytes = 4_096;
const block = Buffer.alloc(blockBytes);
let taken = blockBytes;

/**
 * Bytes of the system's generator, for secrets and nonces. They are drawn in blocks, for a call costs more than its
 * bytes; what is handed out is wiped from the block, so that none is handed out twice.
 *
 * @throws RangeError for more than 4,096 bytes.
 */
export const takeRandom = (sizeBytes: number): Buffer => {
  if (sizeBytes > blockBytes) throw new RangeError(`more than ${blockBytes} random bytes at once`);
  if (taken + sizeBytes > blockBytes) {
    randomFillSync(block);
    taken = 0;
  }
  const end = taken + sizeBytes;
  const bytes = Buffer.from(block.subarray(taken, end));
  block.fill(0, taken, end);
  taken = end;
  return bytes;
};

/** The same, base64url. */
export const randomText = (sizeBytes: number): string => takeRandom(sizeBytes).toString('base64url');
