import { contextOf, signInUrl } from '../factors/sign-in-step.ts';
import type { Open } from '../page/flow.ts';
import type { FormTarget } from '../page/form.tsx';
import type { View } from '../page/view.ts';
import { type PasskeyCeremony, PasskeyForm } from '../passkeys/passkey-form.tsx';

/** The features of the accounts API that the sign-in page leads to. */
export interface OtherWays {
  readonly signUp: string | undefined;
  readonly recovery: string | undefined;
  readonly passkey: { readonly target: FormTarget; readonly ceremony: PasskeyCeremony } | undefined;
}

/** The other ways to sign in that are on. */
export const otherWaysOf = async (open: Open<'login'>, token: string): Promise<OtherWays> => {
  const { services, challenge } = open;
  const settings = await services.accounts.settings();
  const query = new URLSearchParams({ login_challenge: challenge });
  const ceremony = settings.passkeys ? await services.accounts.signIn.passkeyOptions(contextOf(open)) : undefined;
  const target = { action: signInUrl(challenge, '/passkey'), token, hidden: { remember: '' } };
  return {
    signUp: settings.signUp ? `/sign-up?${query}` : undefined,
    recovery: settings.passwordRecovery ? `/recovery?${query}` : undefined,
    passkey: ceremony && { target, ceremony },
  };
};

/** The id of the form to which the button "Cancel" belongs. */
export const signInForm = 'sign-in-form';

/**
 * Below the form of the sign-in page: the passkey, the links, and "Cancel". "Cancel" looks like a link, but is a button
 * because it rejects the request.
 */
export function OtherWaysToSignIn({ view, ways }: { readonly view: View; readonly ways: OtherWays }) {
  const { passkeys, recovery, signUp, login } = view.text;
  return (
    <>
      {ways.passkey && (
        <PasskeyForm {...ways.passkey} kind="get" autofill button={passkeys.signIn} isPlain failure={passkeys.failed}>
          <p className="or">{login.or}</p>
        </PasskeyForm>
      )}
      {(ways.recovery || ways.signUp) && (
        <p className="fine ways">
          {ways.recovery && (
            <a id="forgot" href={ways.recovery}>
              {recovery.forgot}
            </a>
          )}
          {ways.signUp && (
            <a id="sign-up" href={ways.signUp}>
              {signUp.title}
            </a>
          )}
        </p>
      )}
      <p className="fine cancel">
        <button
          id="reject"
          form={signInForm}
          name="decision"
          value="reject"
          type="submit"
          className="link"
          formNoValidate
        >
          {login.cancel}
        </button>
      </p>
    </>
  );
}
