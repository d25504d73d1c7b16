import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createRequestIds } from './request-id.ts';

const sent = (id?: string): IncomingMessage => {
  const message: Pick<IncomingMessage, 'headers'> = { headers: { 'x-request-id': id } };
  return message as IncomingMessage;
};

describe('createRequestIds', () => {
  it('makes a different one each time, in each process', () => {
    const [one, other] = [createRequestIds(), createRequestIds()];
    const ids = [one(sent()), one(sent()), other(sent()), other(sent())];
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  });

  it('takes over an incoming one only when it is trusted and well-formed', () => {
    const trusting = createRequestIds({ trustIncoming: true });
    expect(trusting(sent('abc-1.2_3'))).toBe('abc-1.2_3');
    for (const bad of ['a b', 'x'.repeat(65), '', '<script>', 'a\r\nb']) expect(trusting(sent(bad))).not.toBe(bad);
    expect(createRequestIds()(sent('abc'))).not.toBe('abc');
  });
});
