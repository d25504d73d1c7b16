import type { Outcome } from './outcome.ts';
import type { Circumstances, ShownUser, SignIn } from './sign-in.ts';

/** A provider of identities, such as a company's Entra tenant, as pages show it. */
export interface ShownProvider {
  /** The name in the configuration: `accounts.providers[].name`. */
  readonly name: string;
  /** The text of its button. */
  readonly label: string;
  /** The icon that pages show: the preset of the configuration. */
  readonly preset?:
    | 'google'
    | 'microsoft'
    | 'apple'
    | 'github'
    | 'gitlab'
    | 'facebook'
    | 'linkedin'
    | 'discord'
    | undefined;
}

/** The circumstances of a sign-in at a provider. */
export interface ProviderCircumstances extends Circumstances {
  /**
   * The URL of the page to which the provider sends the browser back: `<login app>/login/provider/<name>`. Its origin must be
   * one of the login app, and each provider must have its own.
   */
  readonly callback: string;
}

export interface ProviderBegin extends Omit<ProviderCircumstances, 'link'> {
  readonly provider: string;
  /** The login name, for the provider's own form. It is passed on, as the next three members are. */
  readonly loginHint?: string | undefined;
  readonly uiLocales?: string | undefined;
  readonly prompt?: string | undefined;
  /** In seconds. An older sign-in at the provider is refused. */
  readonly maxAge?: number | undefined;
  /** Whether the user wants to stay signed in: `read` returns it. */
  readonly remember?: boolean | undefined;
  /** The user of the account page to whom the identity is to be linked: the caller has authenticated the user. */
  readonly subject?: string | undefined;
}

export interface ProviderFinish extends ProviderCircumstances {
  readonly provider: string;
  /** The query of the callback, or the body of its form. */
  readonly answer: string;
  /** The `cookie` of `begin`. */
  readonly cookie: string;
  /** Whether a new user must confirm, also with `signUp: automatic`: the page requires that the user accepts its terms. */
  readonly mustConfirm?: boolean | undefined;
  /** A language tag (BCP 47) for the email to the user. */
  readonly language?: string | undefined;
}

export interface ProviderSignOut extends Pick<ProviderCircumstances, 'callback'> {
  readonly provider: string;
  /** The login name: it names the user whom the provider signs out. */
  readonly loginHint?: string | undefined;
  readonly uiLocales?: string | undefined;
}

/** An identity at a provider that is linked to a user. */
export interface LinkedIdentity {
  readonly id: string;
  readonly provider: string;
  /** The text of the provider's button; the name of a provider that is no longer configured. */
  readonly label: string;
  /** The address or the name of the user at the provider. */
  readonly shown?: string | undefined;
  readonly linkedAt: Date;
}

/** The state after the answer of a provider: a sign-in as after a password (`done`, `factor`, `enrol` ...), or one of these. */
export type ProviderSignIn =
  | SignIn
  /** The user stopped at the provider, or it refused. */
  | { readonly state: 'denied' }
  /** The provider has an outage, or its answer is not valid. The log has the reason. */
  | { readonly state: 'provider_failed' }
  /** The first sign-in of this identity, and the configuration requires a confirmation: show the user, then `signUp`. */
  | { readonly state: 'sign_up'; readonly progress: string; readonly user: ShownUser }
  /**
   * A user with this address exists. The user must first sign in with what they have (`signIn.password` with `link`); then
   * the identity is linked. `login` fills the form. Put `link` into the form of this answer only, and never take it from a
   * URL: with a foreign `link`, the user would link the identity of an attacker.
   */
  | { readonly state: 'link'; readonly link: string; readonly login: string; readonly provider: ShownProvider }
  /** There is no user for this identity, and sign-up is off. */
  | { readonly state: 'unknown_user' };

/** Sign-in with other providers (`accounts.providers`). Nothing is stored before a sign-in has succeeded. */
export interface ProviderOperations {
  /**
   * Gets the providers that a login page offers: those of the organization, if the request or the domain of the login name names
   * one without `members.groups`, or else all. `only`: the page redirects to it at once, because the client is fixed to it, the hint
   * names it, the domain of the login name belongs to it, or the organization has no other way to sign in.
   */
  list(
    input: Pick<Circumstances, 'clientId' | 'organization'> & {
      readonly login?: string | undefined;
      readonly hint?: string | undefined;
    },
  ): Promise<{
    readonly providers: readonly ShownProvider[];
    readonly only?: string | undefined;
    /** Whether users of the organization sign in with its providers only: the page shows no password form. */
    readonly providersOnly?: true | undefined;
  }>;
  /**
   * Begins a sign-in at a provider. It writes nothing: the state travels, sealed, in the URL, and `cookie` binds it to the
   * browser. Redirect to `url`; keep `cookie` for 10 minutes in an HttpOnly cookie (SameSite=Lax), until `finish`.
   *
   * @throws `not_supported` if there is no such provider; `accounts_unavailable` (AccountsError: `unavailable`) if it does not answer
   */
  begin(input: ProviderBegin): Promise<{ readonly url: string; readonly cookie: string }>;
  /**
   * Gets the metadata of Carnet for a provider, in XML: what to enter at a SAML provider. Show it at `<callback>/metadata`.
   * Undefined for a provider whose protocol has none.
   *
   * @throws `not_supported` if there is no such provider
   */
  metadata(input: {
    readonly provider: string;
    readonly callback: string;
  }): Promise<{ readonly xml: string } | undefined>;
  /**
   * Gets the binding (login challenge) and `remember` of the answer of a provider, before `finish`. Undefined if the state is
   * not one of this server. It proves nothing about the browser: `finish` does.
   */
  read(input: {
    readonly state: string;
  }): Promise<{ readonly binding: string; readonly remember: boolean } | undefined>;
  /** Verifies the answer of the provider. */
  finish(input: ProviderFinish): Promise<ProviderSignIn>;
  /** Creates the user of a `sign_up` (`accounts.providers[].signUp: confirm`). */
  signUp(input: Circumstances & { readonly progress: string }): Promise<SignIn>;
  /**
   * Gets the URL at which the provider signs the user out (OpenID Connect RP-Initiated Logout 1.0). End the session of Carnet first,
   * then redirect to the URL. The provider sends the browser to `<callback>/signed-out`, which must be registered there. Undefined if
   * `accounts.providers[].logout` is off, or if the provider has no such URL.
   *
   * @throws `accounts_unavailable` (AccountsError: `unavailable`) if the provider does not answer
   */
  signOut(input: ProviderSignOut): Promise<{ readonly url: string } | undefined>;
  /**
   * Ends the access of a user who has signed out at a provider: sessions, consents and tokens (OpenID Connect Back-Channel Logout
   * 1.0). `logoutToken` is the `logout_token` that the provider has posted to `<login app>/login/provider/<name>/logout`.
   * Answer the provider with 200, or with 400 for `invalid_token`.
   *
   * @throws `not_supported` if there is no such provider; `accounts_unavailable` (AccountsError: `unavailable`) if its keys cannot be
   * read
   */
  backchannelLogout(input: {
    readonly provider: string;
    readonly logoutToken: string;
  }): Promise<Outcome<'invalid_token'>>;
  /** Lists the identities that are linked to a user. */
  identities(input: { readonly subject: string }): Promise<{ readonly identities: readonly LinkedIdentity[] }>;
  /** Removes a linked identity. `last_way`: the user could not sign in any more. */
  unlink(input: {
    readonly subject: string;
    readonly id: string;
    readonly language?: string | undefined;
  }): Promise<Outcome<'not_found' | 'last_way'>>;
}
