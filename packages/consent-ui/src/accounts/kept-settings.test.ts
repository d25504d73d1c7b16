import { type Accounts, AccountsError } from '@carnet/accounts/client';
import { describe, expect, it } from 'vitest';
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

describe('the providers', () => {
  type Input = Parameters<Accounts['providers']['list']>[0];

  const countedProviders = (answer: (input: Input) => Promise<object> = async () => ({ providers: [] })) => {
    const asked: Input[] = [];
    const list = async (input: Input) => {
      asked.push(input);
      return answer(input);
    };
    return { asked, ...withKeptSettings({ providers: { list } } as unknown as Accounts, () => 0).providers };
  };

  it('are requested once for each client, but for each login name and hint', async () => {
    const { asked, list } = countedProviders();
    const inputs: readonly Input[] = [
      { clientId: 'a' },
      { clientId: 'b' },
      { clientId: 'a', login: 'x' },
      { hint: 'y' },
    ];
    for (const input of [...inputs, ...inputs]) await list(input);
    expect(asked).toEqual([...inputs, ...inputs.slice(2)]);
  });

  it('are none with an earlier server, which is not asked again', async () => {
    const { asked, list } = countedProviders(async () => {
      throw new AccountsError('not_supported', 'The admin API answered 404.');
    });
    expect([await list({ clientId: 'a' }), await list({ clientId: 'a' })]).toEqual([
      { providers: [] },
      { providers: [] },
    ]);
    expect(asked).toHaveLength(1);
  });

  it('fail with the admin API', async () => {
    const { list } = countedProviders(async () => {
      throw new AccountsError('unavailable', 'no answer');
    });
    await expect(list({ clientId: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
