import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../../test/servers/src/listen.ts';
import { clientAddress, recordClientAddresses } from './client-address.ts';

const from = (headers: Record<string, string>) => new Request('http://ui/', { headers });

it('without a proxy, the address is that of the connection', () => {
  const request = from({ 'x-carnet-client-address': '192.0.2.7', 'x-forwarded-for': '203.0.113.9' });
  expect(clientAddress(request, 0)).toBe('192.0.2.7');
});

it('behind proxies, the entry that the outermost of them appended, not what the client invented', () => {
  const request = from({ 'x-carnet-client-address': '10.0.0.1', 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.2' });
  expect(clientAddress(request, 1)).toBe('10.0.0.2');
  expect(clientAddress(request, 2)).toBe('203.0.113.9');
  expect(clientAddress(request, 5)).toBe('10.0.0.1');
});

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001::1', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
])('%s counts as %s', (address, counted) => {
  expect(clientAddress(from({ 'x-carnet-client-address': address }), 0)).toBe(counted);
});

it('the peer is written over an address that the client claims', async () => {
  recordClientAddresses();
  const { origin, close } = await listen((request, response) => {
    response.end(request.headers['x-carnet-client-address']);
  });
  onTestFinished(close);
  const response = await fetch(origin, { headers: { 'x-carnet-client-address': '6.6.6.6', connection: 'close' } });
  expect(await response.text()).toBe('127.0.0.1');
});
