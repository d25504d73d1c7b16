import type { Settings } from '../api/accounts.ts';
import type { LinkedIdentity, ProviderOperations } from '../api/providers.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { SecondFactors } from '../second-factors/index.ts';
import type { Identity, IdentityStore, Users } from '../store/index.ts';
import { verifiedEmailOf } from '../users/email-of.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import { type ConfiguredProvider, labelIn } from './provider.ts';

export interface IdentityDependencies {
  readonly identities: IdentityStore;
  readonly providers: readonly ConfiguredProvider[];
  readonly local: { readonly users: Pick<Users, 'show'>; readonly subjects: Pick<LocalSubjects, 'idOf'> } | undefined;
  readonly directories: Pick<Directories, 'load'>;
  readonly settings: Pick<Settings, 'emailSignIn'>;
  readonly listFactors: SecondFactors['list'];
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

/** Whether the user can sign in without a provider: with a password, a code by email, or a passkey alone. */
const hasOtherWay = async (
  { local, directories, settings, listFactors }: IdentityDependencies,
  subject: string,
): Promise<boolean> => {
  const id = local?.subjects.idOf(subject);
  // The users of other directories have their password there.
  if (local === undefined || id === undefined) return true;
  if (((await local.users.show(id))?.passwordVersion ?? 0) > 0) return true;
  const claims = settings.emailSignIn ? (await directories.load(subject))?.claims : undefined;
  if (claims !== undefined && verifiedEmailOf(claims) !== undefined) return true;
  return (await listFactors(subject)).some(({ kind }) => kind === 'passkey');
};

export const shownIdentity = (
  { id, provider, shown, linkedAt }: Identity,
  labelOf: (provider: string) => string,
): LinkedIdentity => ({
  id,
  provider,
  label: labelOf(provider),
  ...(shown !== undefined && { shown }),
  linkedAt: new Date(linkedAt),
});

/** The identities of a user, for the account page. */
export const createIdentityOperations = (
  dependencies: IdentityDependencies,
): Pick<ProviderOperations, 'identities' | 'unlink'> => {
  const { identities, providers, emit } = dependencies;
  const labelOf = labelIn(providers.map(({ options }) => options));
  return {
    identities: async ({ subject }) => ({
      identities: (await identities.list(subject)).map((identity) => shownIdentity(identity, labelOf)),
    }),
    unlink: async ({ subject, id, language }) => {
      const found = (await identities.list(subject)).find((each) => each.id === id);
      if (found === undefined) return { ok: false, error: 'not_found' };
      const keepLast = !(await hasOtherWay(dependencies, subject));
      if (!(await identities.unlink(subject, id, { keepLast })))
        return { ok: false, error: keepLast ? 'last_way' : 'not_found' };
      await emit({ type: 'identity', action: 'unlinked', subject, provider: found.provider, language });
      return { ok: true };
    },
  };
};
