import { expect, test } from 'vitest';
import { isLoopbackHost } from './loopback.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])('%s is loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  ...['', 'app.localhost', 'localhost.', 'localhost.example.com', '127.example.com', '127.0.0.1.example.com'],
  ...['127.0.0.999', '127.1', '0.0.0.0', '10.0.0.1', '::', '::ffff:127.0.0.1', '[::1', '::1]', 'fe80::1'],
])('%j is not loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
