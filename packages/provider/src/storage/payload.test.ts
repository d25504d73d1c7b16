import { expect, it } from 'vitest';
import { z } from 'zod';
import { payloadReader } from './payload.ts';

const read = payloadReader(z.object({ sid: z.string(), place: z.object({ address: z.string() }).optional() }));
const of = (payload: string) => read({ kind: 'session', payload });

it('A payload keeps the members that a newer version has added', () => {
  expect(of('{"sid":"s","color":"red"}')).toEqual({ sid: 's', color: 'red' });
});

it.each([
  ['{"sid":7,"place":{"address":["10.1.2.3"]}}', 'a stored session is damaged: sid, place.address'],
  ['not json, secret', 'a stored session is damaged: the payload'],
])('The problem of a damaged payload names members, and no values: %s', (payload, problem) => {
  expect(() => of(payload)).toThrow(expect.objectContaining({ code: 'server_error', description: problem }));
});
