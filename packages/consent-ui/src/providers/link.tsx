import type { ShownProvider } from '@carnet/accounts/client';
import { sendEmailCode } from '../email-sign-in/email-code.tsx';
import { EmailCodeButton } from '../email-sign-in/email-code-button.tsx';
import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf, type KeptInSignIn, keptIn, signInUrl } from '../factors/sign-in-step.ts';
import { credentialsOf, loginNameOf } from '../login/credentials.ts';
import { passkeyOf } from '../login/other-ways.tsx';
import { type Refusal, refusalOf } from '../login/refusal.ts';
import { AccountCard } from '../page/account-card.tsx';
import { type Open, withOpenForm } from '../page/flow.ts';
import { Form, issueForm, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { PasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { Strong } from '../page/strong.tsx';
import { PasskeyForm } from '../passkeys/passkey-form.tsx';
import { Problem } from '../problem.ts';
import { CancelForm } from './cancel-form.tsx';
import { shownProviderOf } from './offered.ts';

interface Linking extends KeptInSignIn {
  readonly login: string;
}

/**
 * The page for an identity whose address an existing user has. The user signs in with the password, a code by email or a passkey, and the
 * identity is linked.
 *
 * Safe because the address alone links nothing: the accounts API links the identity of `link` when the sign-in of its user is
 * done. `link` travels in forms only, so that another site cannot put its own into the sign-in of a user.
 */
export const respondLink = async (
  open: Open<'login'>,
  provider: ShownProvider,
  { login: name, ...kept }: Linking,
  refusal?: Refusal,
): Promise<Response> => {
  const { services, request, challenge, view } = open;
  const { login, passkeys, providers, recovery } = view.text;
  const hidden = { link: kept.link, remember: kept.remember ? '1' : undefined, provider: provider.name };
  const issued = issueForm(services, request, challenge, { action: signInUrl(challenge, '/link') });
  const { token } = issued.target;
  const isWrong = refusal !== undefined;
  const passkey = await passkeyOf(open, token, hidden);
  const { passwordRecovery, emailSignIn } = await services.accounts.settings();
  const title = providers.connect(provider.label);
  const page = (
    <Page view={view} title={title} text={providers.link(<Strong>{provider.label}</Strong>)}>
      <AccountCard name={name} />
      <ProblemMessage message={refusal?.message} field="password" />
      <Form {...issued.target} hidden={hidden}>
        <input id="email" name="email" type="text" autoComplete="username" defaultValue={name} readOnly hidden />
        <PasswordField
          view={view}
          label={login.password}
          autoComplete="current-password"
          autoFocus={!isWrong}
          isWrong={isWrong}
        />
        <Submit label={login.submit}>{emailSignIn && <EmailCodeButton view={view} />}</Submit>
      </Form>
      {passkey && (
        <PasskeyForm {...passkey} kind="get" button={passkeys.signIn} isPlain failure={passkeys.failed}>
          <p className="or">{login.or}</p>
        </PasskeyForm>
      )}
      {passwordRecovery && (
        <LinkLine
          id="forgot"
          href={`/recovery?${new URLSearchParams({ login_challenge: challenge })}`}
          label={recovery.forgot}
          isFine
        />
      )}
      <CancelForm view={view} challenge={challenge} token={token} />
    </Page>
  );
  const { status, retryAfterSeconds } = refusal ?? {};
  return respond(view, page, { status, retryAfterSeconds, cookie: issued.cookie });
};

/** POST /login/link: checks the password, and links the identity when the sign-in is done. */
export const submitLink = withOpenForm('login', async (open, form) => {
  const kept = keptIn(form);
  if (kept.link === undefined) throw new Problem('invalid_form');
  if (form.get('decision') === 'email-code') return sendEmailCode(open, { login: loginNameOf(form), ...kept });
  const { login, password } = credentialsOf(form);
  const signIn = await open.services.accounts.signIn.password({
    ...contextOf(open),
    login,
    password,
    link: kept.link,
  });
  const refusal = refusalOf(open.view, signIn);
  if (refusal === undefined) return respondSignIn(open, signIn, kept);
  return respondLink(open, await shownProviderOf(open, kept.provider ?? ''), { login, ...kept }, refusal);
});
