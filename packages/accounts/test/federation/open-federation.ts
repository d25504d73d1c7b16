import type { AccountsStore, AccountsStoreOptions } from '@carnet/accounts/store';
import { openTestOpenIdProvider, type TestOpenIdProvider } from '@carnet/test-servers/identity-providers';
import { onTestFinished } from 'vitest';
import type {
  AccountsDependencies,
  AccountsOptions,
  OidcProviderOptions,
  ProviderBegin,
  ProviderFinish,
  ProviderOptions,
  ProviderSignIn,
} from '../../src/index.ts';
import { openTestAccounts, providerOf, type TestAccounts, testOptions } from '../open-test-accounts.ts';

export const binding = 'login-challenge-1';
export const callback = 'https://login.example.com/login/provider/corp';
const clientSecret = 'the secret of the client at the provider';

type Login = Parameters<TestOpenIdProvider['authorize']>[1];

export interface Federation extends TestAccounts {
  readonly upstream: TestOpenIdProvider;
  /** The writes of the accounts database, as `users.create`. */
  readonly writes: string[];
  /** A sign-in from the login page to the answer of `finish`. */
  signIn(login: Login, members?: Partial<ProviderBegin>): Promise<ProviderSignIn>;
  /** Begins in a browser, and signs in at the provider. */
  answer(login: Login, members?: Partial<ProviderBegin>): Promise<ProviderFinish>;
}

/** Whether a function of the store only reads. */
const isRead = (name: string): boolean => /^(?:find|list|show|deletionOf|ping|passwordProblem|open|close)/.test(name);

const counted = <Part extends object>(part: Part, name: string, writes: string[]): Part =>
  new Proxy(part, {
    get: (target, member, receiver) => {
      const found: unknown = Reflect.get(target, member, receiver);
      if (typeof found !== 'function' || typeof member !== 'string' || isRead(member)) return found;
      return (...input: unknown[]): unknown => {
        writes.push(`${name}.${member}`);
        return found.apply(target, input);
      };
    },
  });

/** Loads the packages, and counts the writes of the accounts database. */
const createLoad =
  (writes: string[]): AccountsDependencies['load'] =>
  async (name) => {
    if (name !== '@carnet/accounts-sql') return import(name);
    const sql = await import('@carnet/accounts-sql');
    const openAccountsStore = async (options: AccountsStoreOptions): Promise<AccountsStore> => {
      const store = await sql.openAccountsStore(options);
      const { users, factors, identities, attempts, links } = store;
      return {
        ...store,
        users: counted(users, 'users', writes),
        factors: counted(factors, 'factors', writes),
        identities: counted(identities, 'identities', writes),
        attempts: counted(attempts, 'attempts', writes),
        links: counted(links, 'links', writes),
      };
    };
    return { ...sql, openAccountsStore };
  };

export const openUpstream = async (name: string): Promise<TestOpenIdProvider> => {
  const redirectUri = `https://login.example.com/login/provider/${name}`;
  const upstream = await openTestOpenIdProvider({ clientId: 'carnet', clientSecret, redirectUri });
  onTestFinished(() => upstream.close());
  return upstream;
};

export const upstreamOptions = (
  { issuer }: Pick<TestOpenIdProvider, 'issuer'>,
  members: Partial<OidcProviderOptions> = {},
): OidcProviderOptions => {
  const options = providerOf({ kind: 'oidc', name: 'corp', label: 'Corp', issuer, clientId: 'carnet', clientSecret });
  if (options.kind !== 'oidc') throw new Error('the provider is of another kind');
  return { ...options, ...members };
};

interface Opening {
  readonly database: string | undefined;
  readonly provider?: Partial<OidcProviderOptions>;
  readonly options?: Partial<AccountsOptions>;
  readonly dependencies?: Partial<AccountsDependencies>;
  /** Further providers. */
  readonly others?: readonly ProviderOptions[];
}

/** Accounts whose provider `corp` is oidc-provider on loopback. */
export const openFederation = async ({
  database,
  provider = {},
  options = {},
  dependencies = {},
  others = [],
}: Opening): Promise<Federation> => {
  const upstream = await openUpstream(provider.name ?? 'corp');
  const writes: string[] = [];
  const providers = [upstreamOptions(upstream, provider), ...others];
  const test = await openTestAccounts(testOptions({ database, providers, ...options }), {
    load: createLoad(writes),
    sendToProvider: upstream.send,
    ...dependencies,
  });
  const { accounts } = test;
  const answer: Federation['answer'] = async (login, members = {}) => {
    const common = { provider: 'corp', binding, callback, ...members };
    const { url, cookie } = await accounts.providers.begin(common);
    const { clientId, organization, acrValues } = common;
    return { ...common, clientId, organization, acrValues, answer: await upstream.authorize(url, login), cookie };
  };
  return {
    ...test,
    upstream,
    writes,
    answer,
    signIn: async (login, members) => accounts.providers.finish(finishOf(await answer(login, members))),
  };
};

/** The members of `finish`, without those of `begin`. */
export const finishOf = ({
  provider,
  binding: of,
  callback: page,
  answer,
  cookie,
  ...rest
}: ProviderFinish): ProviderFinish => {
  const { clientId, organization, acrValues } = rest;
  return { provider, binding: of, callback: page, answer, cookie, clientId, organization, acrValues };
};
