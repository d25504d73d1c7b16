import { expect, it, vi } from 'vitest';
import { CarnetError } from '../errors.ts';
import { createOutageLines } from './outage-lines.ts';

const failureOf = (directory?: string) =>
  new CarnetError('accounts_unavailable', `${directory} does not answer`, { cause: { directory } });

it('writes one line in ten seconds for each directory, with the number of requests that failed since', () => {
  let now = 0;
  const error = vi.fn();
  const write = createOutageLines({ error }, () => now);
  for (let n = 0; n < 20; n += 1) {
    write(failureOf('staff'), `request-${n}`);
    write(failureOf(), `request-${n}`);
    now += 1_000;
  }
  expect(error.mock.calls.map(([line]) => line)).toEqual([
    expect.objectContaining({ directory: 'staff', requestId: 'request-0', failedSinceLastLine: 0 }),
    expect.objectContaining({ directory: undefined, requestId: 'request-0', failedSinceLastLine: 0 }),
    expect.objectContaining({ directory: 'staff', requestId: 'request-10', failedSinceLastLine: 9 }),
    expect.objectContaining({ directory: undefined, requestId: 'request-10', failedSinceLastLine: 9 }),
  ]);
});
