import type { ShownFactor } from '@carnet/accounts';
import { Problem } from '../problem.ts';
import type { AccountContext } from './account-context.ts';

/** The factor that the URL names. @throws Problem `invalid_link` if the user has no such factor */
export const ownFactor = async ({ accounts, login, request }: AccountContext): Promise<ShownFactor> => {
  const id = new URL(request.url).searchParams.get('id');
  const { factors } = await accounts.factors.list({ owner: { subject: login.subject } });
  const factor = factors.find((each) => each.id === id);
  if (factor === undefined) throw new Problem('invalid_link');
  return factor;
};
