import type { Circumstances, ShownUser, SignIn } from '../api/sign-in.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { DeviceTokens } from '../devices/device-tokens.ts';
import type { Account, Directories } from '../directory/index.ts';
import type { IdentityLinks } from '../federation/identity-links.ts';
import { type OrganizationChoice, shownOrganization } from '../organizations/choose-organization.ts';
import type { NextStep, SecondFactors, VerifiedFactor } from '../second-factors/index.ts';
import type { IdentityStore } from '../store/index.ts';
import { verifiedEmailOf } from '../users/email-of.ts';
import { shownUser } from '../users/shown-user.ts';
import type { Progress, ProgressCodec } from './progress.ts';

export interface MachineDependencies {
  readonly directories: Pick<Directories, 'load' | 'lookupKey'>;
  /** Undefined without an accounts database: the password is enough then. */
  readonly factors: Pick<SecondFactors, 'next'> | undefined;
  readonly codec: ProgressCodec;
  readonly devices: Pick<DeviceTokens, 'add'>;
  readonly deletions: Deletions;
  /** Links the identity of a proof (`link`) to the user, at the end of the sign-in. */
  readonly links?: Pick<IdentityLinks, 'complete'> | undefined;
  /** Undefined without providers. */
  readonly identities?: Pick<IdentityStore, 'find'> | undefined;
  /** Whether the client accepts the sign-in. */
  readonly isForClient: (current: Current, circumstances: Circumstances) => boolean;
  /** The organization of the sign-in. */
  readonly organizationOf: (current: Current, circumstances: Circumstances) => Promise<OrganizationChoice>;
  /** Returns whether the sessions of the user were ended. */
  readonly waitAfterEnd: (subject: string) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A sign-in with its user, as the directory has it now. */
export interface Current {
  readonly progress: Progress;
  readonly account: Account;
}

/**
 * The states of a sign-in:
 *
 *     password --> factor --> choose_organization --> password_change --> deletion --> done
 *     provider --> enrol ---/
 *
 * Each step calls `advance`, which checks the organization, and asks the policy for the next step after the verified factors. A step is left out if the
 * policy or the directory does not require it.
 */
export interface SignInMachine {
  /** The state after the factors that are verified. */
  advance(current: Current, circumstances: Circumstances): Promise<SignIn>;
  /** The sign-in of a sealed progress; undefined if it cannot be resumed. */
  resume(text: string, binding: string): Promise<Current | undefined>;
  /** The decision of the policy alone, in the circumstances of the last step that was sealed. */
  next(current: Current): Promise<NextStep>;
}

const passwordOnly = { step: 'done', acr: 'urn:carnet:1fa', amr: ['pwd'] } as const satisfies NextStep;

/** The sign-in in the circumstances of this step: they decide the policy. */
export const inCircumstances = (
  { progress, account }: Current,
  { clientId, organization = progress.organization, acrValues, link }: Circumstances,
): Current => ({
  account,
  progress: { ...progress, clientId, organization, acrValues, linksIdentity: link !== undefined },
});

/** The sign-in with a factor that the user has just enrolled. A code that was sent is void after any factor. */
export const withFactor = ({ sent: _void, ...progress }: Progress, factor: VerifiedFactor): Progress => ({
  ...progress,
  verified: [...progress.verified, factor],
});

/** The sign-in with a factor that the user has verified: after an older one at a provider, that is when the user authenticated. */
export const withVerified = (progress: Progress, factor: VerifiedFactor, now: number): Progress => ({
  ...withFactor(progress, factor),
  authTime: progress.identity === undefined ? progress.authTime : Math.floor(now / 1000),
});

const done = (
  { progress, account }: Current,
  { acr, amr }: { acr: string; amr: readonly string[] },
  device: string | undefined,
): SignIn => ({
  state: 'done',
  user: shownUser({ ...account, login: progress.login }),
  subject: account.subject,
  acr,
  amr: [...amr],
  authTime: progress.authTime,
  claims: account.claims,
  ...(progress.organization !== undefined && { organization: progress.organization }),
  ...(progress.identity !== undefined && { provider: progress.identity.provider }),
  ...(device !== undefined && { device }),
});

/** Whether the user has the password with which the sign-in began, and may sign in. */
const isCurrent = async (
  { directories }: Pick<MachineDependencies, 'directories'>,
  { subject, passwordVersion }: Account,
): Promise<boolean> => {
  const account = await directories.load(subject);
  return account !== undefined && !isBarred(account) && account.passwordVersion === passwordVersion;
};

/** Whether the user still has the identity with which the sign-in began. */
const isStillLinked = async (
  { identities }: Pick<MachineDependencies, 'identities'>,
  { identity, verified, subject }: Progress,
): Promise<boolean> => {
  if (verified[0]?.kind !== 'provider') return true;
  return identity !== undefined && (await identities?.find(identity))?.subject === subject;
};

const createNext =
  (factors: MachineDependencies['factors']) =>
  async ({ progress: { subject, verified, ...progress }, account }: Current): Promise<NextStep> => {
    const context = { ...progress, hasVerifiedEmail: verifiedEmailOf(account.claims) !== undefined };
    return factors?.next(subject, verified, context) ?? passwordOnly;
  };

/** Undefined if the organization is decided. The first factor alone reveals no memberships: every factor is verified before. */
const organizationStep = async (
  choice: OrganizationChoice,
  user: ShownUser,
  sealed: () => Promise<string>,
): Promise<SignIn | undefined> => {
  if (choice.state === 'not_member') return { state: 'not_member' };
  if (choice.state !== 'several') return undefined;
  const organizations = choice.organizations.map(shownOrganization);
  return { state: 'choose_organization', progress: await sealed(), user, organizations };
};

/** The end of a sign-in, after every step that the user takes part in. */
const createComplete = (dependencies: MachineDependencies) => {
  const { directories, devices, deletions, links, waitAfterEnd, now } = dependencies;

  /** Undefined after a sign-in without a login name, by a passkey: the guesses of a password begin with a login name. */
  const deviceAfter = ({ subject, login }: Progress, { device }: Circumstances): string | undefined =>
    login === undefined ? undefined : devices.add(device, { subject, key: directories.lookupKey(login) });

  return async (
    { progress, account }: Current,
    assurance: { readonly acr: string; readonly amr: readonly string[] },
    circumstances: Circumstances,
    sealed: () => Promise<string>,
  ): Promise<SignIn> => {
    // Safe against a sign-in with the previous password, which was checked before the sessions were ended and would be done
    // after it, because the version of the password is compared once more.
    if ((await waitAfterEnd(account.subject)) && !(await isCurrent(dependencies, account))) return { state: 'refused' };
    const deleteAt = await deletions.of(account.subject);
    if (deleteAt !== undefined && deleteAt <= now()) return { state: 'refused' };
    const user = shownUser({ ...account, login: progress.login });
    if (deleteAt !== undefined)
      return { state: 'deletion', progress: await sealed(), user, deleteAt: new Date(deleteAt) };
    // After every factor: the password alone must not add another way to sign in.
    const { link, binding } = circumstances;
    if (link !== undefined) await links?.complete(link, { subject: account.subject, binding });
    return done({ progress, account }, assurance, deviceAfter(progress, circumstances));
  };
};

export const createSignInMachine = (dependencies: MachineDependencies): SignInMachine => {
  const { directories, factors, codec, isForClient, organizationOf } = dependencies;
  const next = createNext(factors);
  const complete = createComplete(dependencies);

  /** Binds the progress to the password that the user has now: after a change it cannot be resumed. */
  const seal = async ({ progress, account }: Current, binding: string): Promise<string> => {
    const isFirst = progress.verified.length === 1 && progress.passwordVersion === undefined;
    const passwordVersion = isFirst
      ? (await directories.load(account.subject))?.passwordVersion
      : progress.passwordVersion;
    return codec.seal({ ...progress, passwordVersion }, binding);
  };

  return {
    next,
    advance: async (before, circumstances) => {
      const current = inCircumstances(before, circumstances);
      if (!isForClient(current, circumstances)) return { state: 'refused' };
      // Safe against a request that names another organization in a later step, and against a user who has left one, because
      // the membership is checked at each step of each sign-in. The sealed name is that of a choice, which proves nothing.
      const choice = await organizationOf(current, circumstances);
      const organization = choice.state === 'one' ? choice.organization.name : undefined;
      const { account } = current;
      const progress = { ...current.progress, organization };
      const step = await next({ progress, account });
      const user = shownUser({ ...account, login: progress.login });
      const sealed = () => seal({ progress, account }, circumstances.binding);
      if (step.step === 'refused') return { state: 'refused' };
      if (step.step === 'factor') {
        return { state: 'factor', progress: await sealed(), user, kinds: [...step.kinds] };
      }
      if (step.step === 'enrol') {
        return { state: 'enrol', progress: await sealed(), user, kinds: [...step.kinds], required: step.required };
      }
      const undecided = await organizationStep(choice, user, sealed);
      if (undecided !== undefined) return undecided;
      // Only after the second factor: otherwise an attacker could set a new password with the expired one alone.
      if (progress.mustChangePassword) return { state: 'password_change', progress: await sealed(), user };
      return complete({ progress, account }, step, circumstances, sealed);
    },
    resume: async (text, binding) => {
      const progress = codec.open(text, binding);
      if (progress === undefined) return undefined;
      const account = await directories.load(progress.subject);
      if (account === undefined || isBarred(account)) return undefined;
      const isSame =
        account.passwordVersion === progress.passwordVersion && (await isStillLinked(dependencies, progress));
      return isSame ? { progress, account } : undefined;
    },
  };
};

/** Whether the user may not sign in whatever they verify. A password that must be changed does not bar the user. */
export const isBarred = ({ refusal }: Pick<Account, 'refusal'>): boolean =>
  refusal !== undefined && refusal !== 'password_change_required';
