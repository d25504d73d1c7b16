import type { AccountPage } from './account-context.ts';
import { respondForm } from './account-page.tsx';
import { ownFactor } from './own-factor.ts';
import { respondSaved } from './saved.ts';

/** /account/factors/remove?id=...: removes a factor or a passkey. */
export const removeFactor: AccountPage = {
  isFresh: true,
  show: async (context) => {
    const { account } = context.view.text;
    const { label } = await ownFactor(context);
    return respondForm(context, {
      title: account.removeTitle(<strong>{label}</strong>),
      heading: account.remove,
      text: account.removeText,
      button: account.remove,
    });
  },
  submit: async (context) => {
    const { id, kind } = await ownFactor(context);
    const { accounts, login, view } = context;
    await accounts.factors.remove({ owner: { subject: login.subject }, id, language: view.language });
    return respondSaved(kind === 'passkey' ? 'passkeys' : 'factors');
  },
};
