import { notSupported } from '../accounts-error.ts';
import type { Settings } from '../api/accounts.ts';
import type { SignInOperations } from '../api/sign-in.ts';
import type { AccountsDependencies } from '../dependencies.ts';
import { createIsOfProvider } from '../federation/choose-provider.ts';
import type { OpenedDatabase } from '../opening/open-database.ts';
import type { AccountsOptions } from '../options.ts';
import { createDirectoriesOf } from '../organizations/choose-organization.ts';
import type { AttemptStore } from '../second-factors/index.ts';
import { createCodeLimits } from './code-limits.ts';
import { createPendingCodec } from './pending-code.ts';
import { createRequestCode, type RequestCodeDependencies } from './request-code.ts';
import { createVerifyCode, type VerifyCodeDependencies } from './verify-code.ts';

interface Parts
  extends Pick<RequestCodeDependencies, 'directories' | 'devices' | 'emit'>,
    Pick<VerifyCodeDependencies, 'machine'> {
  readonly dependencies: Pick<AccountsDependencies, 'vault' | 'logger' | 'now'>;
  readonly options: Pick<AccountsOptions, 'directories' | 'organizations' | 'providers'>;
  readonly settings: Pick<Settings, 'emailSignIn'>;
  readonly database: Pick<OpenedDatabase, 'mail' | 'factors'> | undefined;
  readonly attempts: AttemptStore;
}

type EmailSignIn = Pick<SignInOperations, 'requestEmailCode' | 'emailCode'>;

const refuse = async () => {
  throw notSupported('Sign-in by email', 'Set accounts.emailSignIn.enabled.');
};

/** Sign-in with a code by email instead of the password. */
export const openEmailSignIn = ({
  dependencies,
  options,
  settings,
  database,
  attempts,
  ...parts
}: Parts): EmailSignIn => {
  const mails = database?.mail?.mails;
  if (!settings.emailSignIn || database === undefined || mails === undefined)
    return { requestEmailCode: refuse, emailCode: refuse };
  const { vault, logger, now } = dependencies;
  const limits = createCodeLimits(attempts, now);
  const [directoriesOf, isOfProvider] = [createDirectoriesOf(options), createIsOfProvider(options)];
  const common = { ...parts, directoriesOf, isOfProvider, limits, codec: createPendingCodec(vault), logger, now };
  return {
    requestEmailCode: createRequestCode({ ...common, mails }),
    emailCode: createVerifyCode({ ...common, store: database.factors }),
  };
};
