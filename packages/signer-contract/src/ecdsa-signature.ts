/**
 * Converts P-256 signatures between two forms: JWS (RFC 7518, section 3.4), 64 bytes, and DER (RFC 3279, section
 * 2.2.3).
 */

const numberBytes = 32;

/** From DER as node:crypto writes it: shorter than 128 bytes, each number in as few bytes as possible. */
export const ecdsaFromDer = (der: Uint8Array): Buffer => {
  const fixed = Buffer.alloc(2 * numberBytes);
  let at = 2;
  for (const end of [numberBytes, 2 * numberBytes]) {
    const next = at + 2 + (der[at + 1] ?? 0);
    // A number whose first bit is set has a zero in front of it.
    const digits = der.subarray(Math.max(at + 2, next - numberBytes), next);
    fixed.set(digits, end - digits.length);
    at = next;
  }
  return fixed;
};

/** A positive DER integer: without leading zeros, except one that keeps the sign. */
const derNumber = (digits: Uint8Array): readonly number[] => {
  let from = 0;
  while (from < digits.length - 1 && digits[from] === 0) from++;
  const number = [...digits.subarray(from)];
  return (number[0] ?? 0) < 0x80 ? [0x02, number.length, ...number] : [0x02, number.length + 1, 0, ...number];
};

/** Undefined unless the signature has 64 bytes. */
export const ecdsaToDer = (fixed: Uint8Array): Buffer | undefined => {
  if (fixed.length !== 2 * numberBytes) return undefined;
  const numbers = [...derNumber(fixed.subarray(0, numberBytes)), ...derNumber(fixed.subarray(numberBytes))];
  return Buffer.from([0x30, numbers.length, ...numbers]);
};
