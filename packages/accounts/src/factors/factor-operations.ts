import type { FactorOperations, ShownFactor } from '../api/factors.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { ListedFactor, SecondFactors, VerifiedFactor } from '../second-factors/index.ts';
import type { ProgressCodec } from '../sign-in/progress.ts';
import { withFactor } from '../sign-in/sign-in-machine.ts';
import type { FactorOwner, FactorOwners } from './factor-owner.ts';

export interface FactorOperationDependencies {
  readonly factors: () => SecondFactors;
  /** Those of a user; none where no factor can be stored. */
  readonly listFactors: SecondFactors['list'];
  readonly owners: FactorOwners;
  readonly codec: ProgressCodec;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'info'>;
}

export const shownFactor = ({ id, kind, label, createdAt, lastUsedAt, remaining }: ListedFactor): ShownFactor => ({
  id,
  kind,
  label,
  createdAt: new Date(createdAt),
  ...(lastUsedAt !== undefined && { lastUsedAt: new Date(lastUsedAt) }),
  ...(remaining !== undefined && { remaining }),
});

const createEnrolments = ({
  factors,
  owners,
  codec,
  emit,
  logger,
}: FactorOperationDependencies): Pick<FactorOperations, 'begin' | 'confirm' | 'passkeyOptions' | 'passkey'> => {
  /** The new factor is verified too: the user need not enter a second code. */
  const added = async (
    owner: FactorOwner,
    enrolled: { factor: ListedFactor; verified: VerifiedFactor },
    language: string | undefined,
  ) => {
    await emit({ type: 'factor', action: 'added', subject: owner.subject, kind: enrolled.factor.kind, language });
    const { signIn } = owner;
    const progress = signIn && codec.seal(withFactor(signIn.progress, enrolled.verified), signIn.binding);
    return { ok: true as const, factor: shownFactor(enrolled.factor), ...(progress !== undefined && { progress }) };
  };
  return {
    begin: async ({ owner: input, kind, label, issuer }) => {
      const { subject, account } = await owners.of(input);
      return factors().beginOtp({ subject, kind, issuer, account, label });
    },
    confirm: async ({ owner: input, enrolment, code, language }) => {
      const owner = await owners.of(input);
      const result = await factors().confirmOtp({ subject: owner.subject, enrolment, code });
      return result.outcome === 'enrolled' ? added(owner, result, language) : { ok: false, error: result.outcome };
    },
    passkeyOptions: async ({ owner: input }) => {
      const { subject, account, displayName } = await owners.of(input);
      return factors().passkeyEnrolmentOptions({ subject, account, displayName });
    },
    passkey: async ({ owner: input, challenge, response, label, language }) => {
      const owner = await owners.of(input);
      const { subject } = owner;
      const result = await factors().enrolPasskey({ subject, challenge, response, label });
      if (result.outcome === 'not_verified')
        logger.info({ subject, reason: result.reason }, 'A new passkey was refused.');
      return result.outcome === 'enrolled' ? added(owner, result, language) : { ok: false, error: result.outcome };
    },
  };
};

/** The operations on the factors of a user. */
export const createFactorOperations = (dependencies: FactorOperationDependencies): FactorOperations => {
  const { factors, listFactors, owners, emit } = dependencies;
  return {
    ...createEnrolments(dependencies),
    list: async ({ owner }) => {
      const { subject } = await owners.of(owner);
      return { factors: (await listFactors(subject)).map(shownFactor) };
    },
    recoveryCodes: async ({ owner, language }) => {
      const { subject } = await owners.of(owner);
      const codes = await factors().createRecoveryCodes(subject);
      await emit({ type: 'factor', action: 'added', subject, kind: 'recovery_code', language });
      return { codes: [...codes] };
    },
    pin: async ({ subject, pin }) => {
      const factor = await factors().setPin(subject, pin);
      await emit({ type: 'factor', action: 'added', subject, kind: 'pin' });
      return { factor: shownFactor(factor) };
    },
    resync: async ({ owner, id, codes }) => {
      const { subject } = await owners.of(owner);
      const { outcome } = await factors().resync({ subject, id, codes });
      return outcome === 'synchronised' ? { ok: true } : { ok: false, error: outcome };
    },
    remove: async ({ owner, id, language }) => {
      const { subject } = await owners.of(owner);
      const kind = (await factors().list(subject)).find((factor) => factor.id === id)?.kind;
      if (!(await factors().remove(subject, id))) return { ok: false, error: 'not_found' };
      await emit({ type: 'factor', action: 'removed', subject, kind, language });
      return { ok: true };
    },
    reset: async ({ subject }) => {
      const removed = await factors().reset(subject);
      if (removed > 0) await emit({ type: 'factor', action: 'reset', subject });
      return { removed };
    },
  };
};
