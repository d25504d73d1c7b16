import { describe, expect, it } from 'vitest';
import { createCallerCheck } from './callers.ts';

const token = 'a-token-of-sixteen-characters';

describe('callers of /validate/check', () => {
  const withToken = createCallerCheck({ token, allow: [] });
  const withNetworks = createCallerCheck({ allow: ['192.0.2.7', '10.1.0.0/16', '2001:db8::/32'] });

  it.each([token, `Bearer ${token}`, `bearer  ${token} `])('are accepted with the header %j', (authorization) => {
    expect(withToken({ authorization })).toBe(true);
  });

  it.each([undefined, '', 'Bearer', `Basic ${token}`, `${token}x`])(
    'are refused with the header %j',
    (authorization) => {
      expect(withToken({ authorization, address: '192.0.2.7' })).toBe(false);
    },
  );

  it.each(['192.0.2.7', '10.1.255.1', '::ffff:10.1.0.1', '2001:db8::1'])('are accepted from %s', (address) => {
    expect(withNetworks({ address })).toBe(true);
  });

  it.each([undefined, '', '192.0.2.8', '10.2.0.1', '::1', 'localhost'])('are refused from %s', (address) => {
    expect(withNetworks({ address, authorization: token })).toBe(false);
  });

  it('need one of the two if both are set, and are refused if none is', () => {
    const withBoth = createCallerCheck({ token, allow: ['192.0.2.7'] });
    expect(withBoth({ address: '192.0.2.7' })).toBe(true);
    expect(withBoth({ address: '192.0.2.8', authorization: token })).toBe(true);
    expect(withBoth({ address: '192.0.2.8' })).toBe(false);
    expect(createCallerCheck({ allow: [] })({ address: '127.0.0.1', authorization: '' })).toBe(false);
  });
});
