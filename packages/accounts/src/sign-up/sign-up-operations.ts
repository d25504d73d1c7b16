import type { Settings } from '../api/accounts.ts';
import type { SignUpOperations, SignUpRequest } from '../api/sign-up.ts';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { PasswordHashing } from '../directory/index.ts';
import { addressOf } from '../links/address-of.ts';
import type { AllowedLink } from '../links/allowed-links.ts';
import type { Links } from '../links/links.ts';
import { createProof, isProof } from '../links/proof.ts';
import { type MailedLinkDependencies, requestMail } from '../links/request-mail.ts';
import type { BeginSignIn } from '../sign-in/begin-sign-in.ts';
import type { Users } from '../store/index.ts';
import { shownUser } from '../users/shown-user.ts';

export interface SignUpDependencies extends Omit<MailedLinkDependencies, 'ofUsers'> {
  readonly settings: Pick<Settings, 'emailSignIn'>;
  readonly users: Pick<Users, 'create' | 'passwordProblem'>;
  readonly begin: BeginSignIn;
  readonly hashing: Pick<PasswordHashing, 'hash'>;
  readonly links: Pick<Links, 'signUp'>;
  /** Counts the checks of new passwords by the email address and the address of the browser: each one may ask a service. */
  readonly checks: LoginAttempts;
}

const sendMail = async (
  { directories, hashing, links, mails }: SignUpDependencies,
  { email: to, password, name, language, proofHash }: SignUpRequest & { readonly proofHash: string },
  { withToken, returnTo }: AllowedLink,
): Promise<void> => {
  const known = await directories.find(to);
  // The password is hashed for known addresses too, so that the duration of the answer does not reveal them.
  const passwordHash = password === undefined ? undefined : await hashing.hash(password, to);
  const token = await links.signUp.create({ email: to, passwordHash, proofHash, name, language, returnTo });
  const link = withToken(token);
  const { validSeconds } = links.signUp;
  if (known === undefined) mails.send('confirmAddress', { to, language, link, validSeconds });
  else mails.send('alreadyRegistered', { to, language });
};

const createRequest =
  (dependencies: SignUpDependencies): SignUpOperations['request'] =>
  async (input) => {
    const { users, checks, settings } = dependencies;
    const email = addressOf(input.email);
    if (email === undefined) return { ok: false, error: 'invalid_email' };
    // A check that refuses the password is counted as well.
    const { retryAfterSeconds } = await checks.begin(email, input.address);
    if (retryAfterSeconds !== undefined) return { ok: false, error: 'limited' };
    // Without a password, the account needs another way to sign in.
    const message =
      input.password === undefined && settings.emailSignIn
        ? undefined
        : await users.passwordProblem(input.password ?? '', [email, input.name ?? '']);
    if (message !== undefined) return { ok: false, error: 'weak_password', message };
    const { proof, proofHash } = createProof();
    const sent = await requestMail(dependencies, { ...input, login: email }, (link) =>
      sendMail(dependencies, { ...input, email, proofHash }, link),
    );
    return sent.ok ? { ...sent, proof } : sent;
  };

const createConfirm =
  (dependencies: SignUpDependencies): SignUpOperations['confirm'] =>
  async ({ token, proof, password, binding }) => {
    const { users, links, emit, subjects, hashing, directories, begin } = dependencies;
    const opened = await links.signUp.open(token);
    if (opened === undefined) return { ok: false, error: 'invalid_token' };
    const { email: address, name, returnTo } = opened.content;
    // Safe against an account that waits for its victim: the password of the form is used only in the browser that sent the
    // form. In any other browser the owner of the mailbox chooses it.
    const isSender = proof !== undefined && isProof(opened.content.proofHash, proof);
    if (!isSender && password === undefined) {
      const known = await directories.find(address);
      return { ok: false, error: known === undefined ? 'password_needed' : 'already_registered' };
    }
    const chosen = isSender ? undefined : password;
    const message = chosen === undefined ? undefined : await users.passwordProblem(chosen, [address, name ?? '']);
    if (message !== undefined) return { ok: false, error: 'weak_password', message };
    if (!(await opened.take())) return { ok: false, error: 'invalid_token' };
    const passwordHash = chosen === undefined ? opened.content.passwordHash : await hashing.hash(chosen, address);
    const claims = name === undefined ? {} : { name };
    const created = await users.create({ email: address, emailVerified: true, passwordHash, claims });
    if (!created.created) return { ok: false, error: 'already_registered' };
    const subject = subjects.subjectOf(created.user.id);
    await emit({ type: 'signed_up', subject });
    const user = shownUser({ subject, claims: created.user.claims });
    // The user has set this password, in this browser or on this page, and owns the mailbox: a second entry adds nothing. Without
    // a password, the link proves the mailbox, as a code would.
    const kind = passwordHash === undefined ? 'mailbox' : 'password';
    const progress = binding === undefined ? undefined : await begin({ subject, login: address, binding, kind });
    return {
      ok: true,
      user,
      ...(progress !== undefined && { progress }),
      ...(returnTo !== undefined && { returnTo: returnTo }),
    };
  };

/**
 * Sign-up with a confirmed address. The user is created when the link of the email is used: a sign-up with the address of
 * another user stores nothing.
 */
export const createSignUp = (dependencies: SignUpDependencies): SignUpOperations => ({
  request: createRequest(dependencies),
  confirm: createConfirm(dependencies),
});
