import { decodeBase32, hotp, stepAt } from '../src/second-factors/index.ts';

/** The code that an authenticator app shows. `time` is milliseconds since 1970. */
export const totpCode = (secret: string, time: number): string =>
  hotp(decodeBase32(secret) ?? Buffer.alloc(0), stepAt(time, 30));
