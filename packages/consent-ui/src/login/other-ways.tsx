import type { ShownProvider } from '@carnet/accounts/client';
import { contextOf, signInUrl } from '../factors/sign-in-step.ts';
import type { Open } from '../page/flow.ts';
import type { FormTarget } from '../page/form.tsx';
import type { View } from '../page/view.ts';
import { type PasskeyCeremony, PasskeyForm } from '../passkeys/passkey-form.tsx';
import { offeredProviders } from '../providers/offered.ts';
import { ProviderButtons } from '../providers/provider-buttons.tsx';

/** The features of the accounts API that the sign-in page leads to. */
export interface OtherWays {
  /** Whether the button of a code by email is in the form of the password. */
  readonly emailCode: boolean;
  readonly signUp: string | undefined;
  readonly recovery: string | undefined;
  readonly providers: { readonly target: FormTarget; readonly providers: readonly ShownProvider[] } | undefined;
  readonly passkey: { readonly target: FormTarget; readonly ceremony: PasskeyCeremony } | undefined;
}

/** The form of a passkey instead of the password; undefined if passkeys are off. */
export const passkeyOf = async (
  open: Open<'login'>,
  token: string,
  hidden: FormTarget['hidden'],
): Promise<OtherWays['passkey']> => {
  const { accounts } = open.services;
  if (!(await accounts.settings()).passkeys) return undefined;
  const target = { action: signInUrl(open.challenge, '/passkey'), token, hidden };
  return { target, ceremony: await accounts.signIn.passkeyOptions(contextOf(open)) };
};

/** The other ways to sign in that are on. */
export const otherWaysOf = async (open: Open<'login'>, token: string): Promise<OtherWays> => {
  const { services, challenge } = open;
  const hidden = { remember: '' };
  const [settings, { providers, providersOnly }] = await Promise.all([
    services.accounts.settings(),
    offeredProviders(open),
  ]);
  const query = new URLSearchParams({ login_challenge: challenge });
  const target = { action: signInUrl(challenge, '/provider'), token, hidden };
  return {
    emailCode: settings.emailSignIn && !providersOnly,
    signUp: settings.signUp && !providersOnly ? `/sign-up?${query}` : undefined,
    recovery: settings.passwordRecovery && !providersOnly ? `/recovery?${query}` : undefined,
    providers: providers.length === 0 ? undefined : { target, providers },
    passkey: providersOnly ? undefined : await passkeyOf(open, token, hidden),
  };
};

/** The id of the form to which the button "Cancel" belongs. */
export const signInForm = 'sign-in-form';

interface OtherWaysProps {
  readonly view: View;
  readonly ways: OtherWays;
  /** Whether there is no form above. */
  readonly isOnly?: boolean;
}

/**
 * Below the form of the sign-in page: the providers, the passkey, the links, and "Cancel". "Cancel" looks like a link, but is a button
 * because it rejects the request.
 */
export function OtherWaysToSignIn({ view, ways, isOnly = false }: OtherWaysProps) {
  const { passkeys, recovery, signUp, login } = view.text;
  return (
    <>
      {ways.providers && (
        <ProviderButtons view={view} {...ways.providers}>
          {!isOnly && <p className="or">{login.or}</p>}
        </ProviderButtons>
      )}
      {ways.passkey && (
        <PasskeyForm {...ways.passkey} kind="get" autofill button={passkeys.signIn} isPlain failure={passkeys.failed}>
          {ways.providers === undefined && <p className="or">{login.or}</p>}
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
