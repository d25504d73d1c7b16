import type { Accounts } from '@carnet/accounts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';

/** The accounts API. @throws Problem `invalid_link` if this login app does not use it: the pages of accounts do not exist then */
export const accountsOf = ({ accounts }: Pick<Services, 'accounts'>): Accounts => {
  if (accounts === undefined) throw new Problem('invalid_link');
  return accounts;
};
