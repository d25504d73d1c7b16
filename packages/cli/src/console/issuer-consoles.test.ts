import { expect, test } from 'vitest';
import { metricsOfIssuer } from './issuer-consoles.ts';

test('the metrics of an issuer have no line of another one, of the whole process, or of a value that looks like its label', () => {
  const own = ['a_total{action="login",issuer="acme"} 3', 'b_bucket{le="1",issuer="acme",listener="public"} 4'];
  const foreign = [
    'a_total{action="login",issuer="acme-2"} 1',
    'a_total{action="login",issuer=""} 1',
    'a_total{sub_issuer="acme"} 1',
    'a_total{directory="x\\",issuer=\\"acme\\"",issuer="shop"} 1',
    'process_resident_memory_bytes 1048576',
    'a_total{issuer="other"} 1',
  ];
  const text = ['# TYPE a_total counter', ...foreign, ...own].join('\n');
  expect(metricsOfIssuer('acme', text).split('\n')).toEqual(own);
  expect(metricsOfIssuer('other', text)).toBe('');
});
