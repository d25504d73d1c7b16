import { Field } from '../page/form.tsx';
import type { AccountContext, AccountPage } from './account-context.ts';
import { respondForm } from './account-page.tsx';
import { ownFactor } from './own-factor.ts';
import { respondSaved } from './saved.ts';

const respondResync = (context: AccountContext, message?: string): Promise<Response> => {
  const { account } = context.view.text;
  const shared = {
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    maxLength: 16,
    className: 'code',
    isWrong: message !== undefined,
  } as const;
  return respondForm(context, {
    title: account.resyncTitle,
    text: account.resyncText,
    problem: message === undefined ? undefined : { field: 'first', message },
    button: account.resync,
    fields: (
      <>
        <Field name="first" label={account.firstCode} autoFocus {...shared} />
        <Field name="second" label={account.secondCode} {...shared} />
      </>
    ),
  });
};

const codeIn = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').replaceAll(/\s/g, '').slice(0, 16);

/** /account/factors/resync?id=...: corrects the clock or the counter of a factor. */
export const resyncFactor: AccountPage = {
  isFresh: true,
  show: async (context) => {
    await ownFactor(context);
    return respondResync(context);
  },
  submit: async (context, form) => {
    const { id } = await ownFactor(context);
    const { account } = context.view.text;
    const result = await context.accounts.factors.resync({
      owner: { subject: context.login.subject },
      id,
      codes: [codeIn(form, 'first'), codeIn(form, 'second')],
    });
    if (result.ok) return respondSaved('factors');
    return respondResync(context, result.error === 'limited' ? account.limited : account.wrongCodes);
  },
};
