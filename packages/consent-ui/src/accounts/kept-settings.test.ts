import type { Accounts } from '@carnet/accounts/client';
import { expect, it } from 'vitest';
import { withKeptSettings } from './kept-settings.ts';

/** Accounts whose settings show how often they were asked for, and fail while `isDown`. */
const counted = () => {
  const state = { asked: 0, isDown: false, now: 0 };
  const settings = async () => {
    state.asked += 1;
    if (state.isDown) throw new Error('the admin API does not answer');
    return { minimumPasswordLength: state.asked };
  };
  return { state, accounts: withKeptSettings({ settings } as unknown as Accounts, () => state.now) };
};

it('settings are asked for once in ten seconds, by pages at the same time too', async () => {
  const { state, accounts } = counted();
  await Promise.all([accounts.settings(), accounts.settings()]);
  state.now = 9_999;
  expect(await accounts.settings()).toEqual({ minimumPasswordLength: 1 });
  state.now = 10_000;
  expect(await accounts.settings()).toEqual({ minimumPasswordLength: 2 });
});

it('a failure is not kept', async () => {
  const { state, accounts } = counted();
  state.isDown = true;
  await expect(accounts.settings()).rejects.toThrow('does not answer');
  state.isDown = false;
  expect(await accounts.settings()).toEqual({ minimumPasswordLength: 2 });
});
