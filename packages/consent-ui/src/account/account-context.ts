import type { Account, Accounts } from '@carnet/accounts';
import type { LoginSession } from '../api/sessions-api.ts';
import type { View } from '../page/view.ts';
import type { Services } from '../services.ts';
import type { AccountLogin } from './account-client.ts';

/** A request of a signed-in user. */
export interface AccountContext {
  readonly services: Services;
  readonly accounts: Accounts;
  readonly request: Request;
  readonly view: View;
  readonly login: AccountLogin;
  readonly profile: Account;
  /** Undefined if the provider cannot list sessions. */
  readonly sessions: readonly LoginSession[] | undefined;
}

/** The form flow of the account pages. */
export const accountFlow = 'account';

/** A page below `/account`. */
export interface AccountPage {
  /** Whether the user must have authenticated in the last five minutes. */
  readonly isFresh: boolean;
  /**
   * Whether a form continues what a fresh page has begun, and needs no new sign-in. Only for forms that the accounts API
   * accepts with a sealed value that it gave to a fresh page, and that expires.
   */
  continues?(form: URLSearchParams): boolean;
  /** The response to a browser that cannot use the page, before the user signs in. */
  refuse?(services: Services, request: Request): Promise<Response> | undefined;
  show(context: AccountContext): Promise<Response>;
  submit?(context: AccountContext, form: URLSearchParams): Promise<Response>;
}
