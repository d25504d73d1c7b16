import { RecoveryCodesPage } from '../factors/recovery-codes-page.tsx';
import { respond } from '../page/respond.ts';
import type { AccountContext } from './account-context.ts';

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
