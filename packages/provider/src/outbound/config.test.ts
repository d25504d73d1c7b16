import { describe, expect, it } from 'vitest';
import { outboundSchema } from './config.ts';

const accepts = (entry: string): boolean => outboundSchema.safeParse({ allow: [entry] }).success;

describe('outbound.allow', () => {
  it.each([
    'billing',
    'billing.internal',
    'billing.internal:8443',
    '10.0.0.5',
    '10.1.0.0/16',
    '[fd00::1]:80',
    'fd00::/8',
  ])('takes %s', (entry) => expect(accepts(entry)).toBe(true));

  it.each([
    '',
    'https://billing',
    'billing/path',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    'fd00::/129',
    '*',
    'a b',
    '10.0.0.0/8/8',
  ])('refuses %j', (entry) => expect(accepts(entry)).toBe(false));
});
