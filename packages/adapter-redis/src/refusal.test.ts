import { StoreUnfitError } from '@carnet/adapter-contract';
import { expect, test } from 'vitest';
import { explain } from './refusal.ts';

test('an answer that quotes what was sent is not passed on', () => {
  const answer = new Error("ERR unknown command 'auth', with args beginning with: 'carnet' 'hunter2'");
  const explained = explain(answer) as Error;
  expect(explained).toBeInstanceOf(StoreUnfitError);
  expect(`${explained.stack} ${explained.cause}`).not.toContain('hunter2');
});

test('the command of an error, which holds what was sent, is taken off', () => {
  const error = Object.assign(new Error('LOADING'), { command: { args: ['hunter2'] } });
  expect(explain(error)).toBe(error);
  expect(error).not.toHaveProperty('command');
});
