import { Field } from '../page/form.tsx';
import type { AccountContext, AccountPage } from './account-context.ts';
import { respondForm } from './account-page.tsx';
import { respondSaved } from './saved.ts';

const respondProfile = (context: AccountContext, name: string, message?: string): Promise<Response> => {
  const { account } = context.view.text;
  return respondForm(context, {
    title: account.edit,
    problem: message === undefined ? undefined : { field: 'name', message },
    button: account.save,
    fields: (
      <Field
        name="name"
        label={account.name}
        autoComplete="name"
        maxLength={200}
        value={name}
        isWrong={message !== undefined}
        autoFocus
      />
    ),
  });
};

const nameIn = ({ profile }: AccountContext): string => {
  const { name } = profile.claims;
  return typeof name === 'string' ? name : '';
};

/** /account/profile: the name of the user. */
export const profile: AccountPage = {
  isFresh: true,
  show: (context) => respondProfile(context, nameIn(context)),
  submit: async (context, form) => {
    const name = (form.get('name') ?? '').trim().slice(0, 200);
    const { accounts, login, view } = context;
    const result =
      name === '' ? { ok: false } : await accounts.account.update({ subject: login.subject, claims: { name } });
    return result.ok ? respondSaved('profile') : respondProfile(context, name, view.text.account.notChanged);
  },
};
