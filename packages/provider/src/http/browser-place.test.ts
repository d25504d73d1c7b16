import { describe, expect, test } from 'vitest';
import { type BrowserMessage, createBrowserPlace, networkOf } from './browser-place.ts';

const placeOf = createBrowserPlace(['10.0.0.0/8']);
const from = (remoteAddress: string, headers: BrowserMessage['headers'] = {}): BrowserMessage =>
  ({ headers, socket: { remoteAddress } }) as unknown as BrowserMessage;

describe('the place of a browser', () => {
  test.each([
    ['a connection of its own', from('192.0.2.1', { 'x-forwarded-for': '203.0.113.9' }), '192.0.2.1'],
    ['a trusted proxy', from('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' }), '203.0.113.9'],
    ['two trusted proxies', from('10.0.0.1', { 'x-forwarded-for': '203.0.113.9, 10.0.0.2' }), '203.0.113.9'],
    ['a forged entry', from('10.0.0.1', { 'x-forwarded-for': '10.9.9.9, 198.51.100.1, 203.0.113.9' }), '203.0.113.9'],
    ['a trusted proxy that adds no entry', from('10.0.0.1'), '10.0.0.1'],
    ['an IPv4 address on an IPv6 socket', from('::ffff:192.0.2.1'), '192.0.2.1'],
  ])('%s: the address', (_name, message, address) => {
    expect(placeOf(message).address).toBe(address);
  });

  test('has at most 256 characters of the User-Agent', () => {
    expect(placeOf(from('192.0.2.1', { 'user-agent': 'x'.repeat(1_000) })).userAgent).toHaveLength(256);
    expect(placeOf(from('192.0.2.1')).userAgent).toBeUndefined();
  });
});

test.each([
  ['203.0.113.9', '203.0.113'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:db8:1::6', '2001:db8:1'],
  ['2001:db8::6', '2001:db8:0'],
  ['2001:db8:0:1::6', '2001:db8:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
