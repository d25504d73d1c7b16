import { SecondFactorError } from '../second-factor-error.ts';
import type { FactorKind } from '../store.ts';
import { assuranceOf, rankOf } from './acr.ts';
import {
  type NextStep,
  type Policy,
  type PolicySettings,
  policies,
  type SignInContext,
  type VerifiedFactor,
} from './settings.ts';

/** From lax to strict. `any` accepts a PIN as well, `two` does not: the `acr` of a PIN is that of one factor. */
const goals = ['none', 'any', 'two', 'passkey'] as const;
type Goal = (typeof goals)[number];

const strictest = <Item>(order: readonly Item[], items: readonly Item[]): Item =>
  items.reduce((a, b) => (order.indexOf(a) < order.indexOf(b) ? b : a));

const ownPolicy = (of: Readonly<Record<string, Policy>> = {}, name: string | undefined): Policy | undefined =>
  name !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;

/** The policy of this realm, this client and this organization, before the request's `acr_values`. */
export const policyOf = (
  { default: otherwise, realms, clients, organizations }: PolicySettings,
  { realm, clientId, organization }: SignInContext,
): Policy =>
  strictest(policies, [
    ownPolicy(realms, realm) ?? otherwise,
    ownPolicy(clients, clientId) ?? 'none',
    ownPolicy(organizations, organization) ?? 'none',
  ]);

const reaches = (goal: Goal, kind: FactorKind): boolean =>
  ({ none: true, any: true, two: kind !== 'pin', passkey: kind === 'passkey' })[goal];

const isReachedBy = (goal: Goal, { kind, acr }: VerifiedFactor): boolean => {
  if (kind === 'provider') return acr !== undefined && (goal !== 'passkey' || acr === 'phr');
  return kind !== 'password' && kind !== 'mailbox' && reaches(goal, kind);
};

const isReached = (goal: Goal, verified: readonly VerifiedFactor[]): boolean =>
  goal === 'none' || verified.some((factor) => isReachedBy(goal, factor));

/** Whether the user has the factor on a device. Users can enrol these kinds themselves. */
const isDevice = (kind: FactorKind): boolean => kind === 'totp' || kind === 'hotp' || kind === 'passkey';

const enrollable = (settings: PolicySettings): readonly FactorKind[] => settings.kinds.filter(isDevice);

/**
 * The goal of the weakest known value: a client accepts each of the values that it lists. `acr_values` is a wish, so that
 * a value that no factor can reach has no effect.
 */
const goalOfAcr = (acr: readonly string[], reachable: readonly FactorKind[]): Goal => {
  const ranks = acr.map(rankOf).filter((rank) => rank >= 0);
  const goal = (['none', 'two', 'passkey'] as const)[Math.min(...ranks)] ?? 'none';
  return goal === 'none' || reachable.some((kind) => reaches(goal, kind)) ? goal : 'none';
};

/**
 * The kinds that the user may verify. A PIN is accepted if the settings list it: it may be stored for other purposes.
 * Recovery codes are accepted only in place of a factor that the user has enrolled: an attacker who knows
 * the password can create codes for a user who has none.
 *
 * A code by email is accepted only after a password, and from users without a device. Otherwise an attacker who reads the emails
 * of a user, and has set a new password by one, could sign in without the app or the passkey of the user. After a sign-in at a
 * provider it would prove nothing: the mailbox is often open in the browser that has the session of the provider. After a sign-in
 * by email it would be the same mailbox again.
 */
const usableKinds = (
  settings: PolicySettings,
  enrolled: readonly FactorKind[],
  verified: readonly VerifiedFactor[],
): readonly FactorKind[] => {
  const mustBeListed = (kind: FactorKind): boolean => kind === 'pin' || kind === 'email';
  const takesEmail = !enrolled.some(isDevice) && verified.some(({ kind }) => kind === 'password');
  const kinds = [...new Set(enrolled)]
    .filter((kind) => !mustBeListed(kind) || settings.kinds.includes(kind))
    .filter((kind) => kind !== 'email' || takesEmail);
  return kinds.some((kind) => kind !== 'recovery_code' && kind !== 'email')
    ? kinds
    : kinds.filter((kind) => kind === 'email');
};

const goalOf = (policy: Policy, hasFactor: boolean): Goal =>
  (({ none: 'none', optional: hasFactor ? 'any' : 'none', required: 'any', phishing_resistant: 'passkey' }) as const)[
    policy
  ];

const assertSignedIn = (verified: readonly VerifiedFactor[]): void => {
  const first: readonly VerifiedFactor['kind'][] = ['password', 'passkey', 'provider', 'mailbox'];
  if (verified.some(({ kind }) => first.includes(kind))) return;
  throw new SecondFactorError(
    'not_signed_in',
    'A sign-in begins with the password, a code by email, a passkey or a provider: verify one of them first.',
  );
};

/** @param enrolled the kinds of the user's confirmed factors */
export const nextStep = (
  settings: PolicySettings,
  enrolled: readonly FactorKind[],
  verified: readonly VerifiedFactor[],
  context: SignInContext,
): NextStep => {
  assertSignedIn(verified);
  const usable = usableKinds(settings, enrolled, verified);
  const policy = policyOf(settings, context);
  const goal = strictest<Goal>(goals, [
    goalOf(policy, usable.length > 0),
    goalOfAcr(context.acrValues ?? [], [...usable, ...enrollable(settings)]),
    context.mustVerifyFactor ? 'any' : 'none',
    // Another way to sign in is as sensitive as a change of the factors.
    context.linksIdentity && usable.length > 0 ? 'any' : 'none',
  ]);
  if (isReached(goal, verified)) {
    const offers = settings.offersEnrolment && policy === 'optional' && usable.length === 0;
    if (offers && !context.enrolmentSkipped && !isReached('any', verified))
      return { step: 'enrol', kinds: enrollable(settings), required: false };
    return { step: 'done', ...assuranceOf(verified) };
  }
  // Safe against an attacker with an old session at a provider because a factor that is enrolled in this sign-in proves nothing
  // about it: the attacker could enrol one.
  if (context.mustVerifyFactor && usable.length === 0) return { step: 'refused' };
  const kinds = usable.filter((kind) => reaches(goal, kind));
  if (kinds.length > 0) return { step: 'factor', kinds };
  // A user who has a factor verifies it before another one is enrolled: the password alone must not be enough for that. A
  // PIN is knowledge too: it is not enough either for a user who has more.
  const strong = usable.filter((kind) => reaches('two', kind));
  if (strong.length > 0 && !isReached('two', verified)) return { step: 'factor', kinds: strong };
  if (usable.length > 0 && !isReached('any', verified)) return { step: 'factor', kinds: usable };
  return { step: 'enrol', kinds: enrollable(settings).filter((kind) => reaches(goal, kind)), required: true };
};
