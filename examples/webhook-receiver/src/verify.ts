import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Whether the body was sent by Carnet within the last five minutes. `body` is the body as it came, before it is parsed. */
export const isFromCarnet = (headers: IncomingHttpHeaders, body: string, secret: string): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (typeof signatures !== 'string' || !(ageSeconds < 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  // While a secret is replaced, there are two signatures.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};
