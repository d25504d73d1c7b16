import { RecoveryCodesPage } from '../factors/recovery-codes-page.tsx';
import { respond } from '../page/respond.ts';
import type { AccountContext, AccountPage } from './account-context.ts';
import { respondForm } from './account-page.tsx';

/** Creates new recovery codes and shows them. */
export const respondRecoveryCodes = async ({ accounts, login, view }: AccountContext): Promise<Response> => {
  const { codes } = await accounts.factors.recoveryCodes({
    owner: { subject: login.subject },
    language: view.language,
  });
  const page = (
    <RecoveryCodesPage view={view} codes={codes}>
      <div className="actions second">
        <a className="button" id="continue" href="/account#recovery-codes">
          {view.text.recoveryCodes.saved}
        </a>
      </div>
    </RecoveryCodesPage>
  );
  return respond(view, page);
};

/** /account/factors/recovery-codes: replaces all codes. */
export const newRecoveryCodes: AccountPage = {
  isFresh: true,
  show: (context) => {
    const { account } = context.view.text;
    return respondForm(context, {
      title: account.newCodes,
      heading: account.newCodes,
      text: account.newCodesText,
      button: account.newCodes,
    });
  },
  submit: respondRecoveryCodes,
};
