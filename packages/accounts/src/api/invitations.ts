import type { Outcome } from './outcome.ts';
import type { ShownUser } from './sign-in.ts';

/** The page of an invitation, which `users.create` or `users.invite` has sent. */
export interface InvitationOperations {
  /** Checks the link of an invitation without using it. */
  inspect(input: { readonly token: string }): Promise<Outcome<'invalid_token', { readonly user: ShownUser }>>;
  /** Sets the password that the user has chosen, and confirms the address. The link can be used once. */
  accept(input: {
    readonly token: string;
    readonly password: string;
  }): Promise<Outcome<'invalid_token' | 'weak_password', { readonly user: ShownUser }>>;
}
