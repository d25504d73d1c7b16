import type { ShownUser } from '../api/sign-in.ts';
import type { Claims } from '../directory/index.ts';

/** The text of a claim; undefined for an empty text, and for any other value. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The user as pages show it: the name, and the email address if it is not the name. */
export const shownUser = (user: {
  readonly subject: string;
  readonly claims: Claims;
  readonly login?: string | undefined;
}): ShownUser => {
  const { name, preferred_username: username, email } = user.claims;
  const [first = user.subject, ...others] = [textOf(name), textOf(username), textOf(email), user.login].filter(
    (each) => each !== undefined,
  );
  const detail = textOf(email) ?? others[0];
  return { subject: user.subject, name: first, ...(detail !== undefined && detail !== first && { detail }) };
};
