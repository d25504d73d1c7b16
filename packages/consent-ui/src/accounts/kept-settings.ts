import { type Accounts, AccountsError } from '@carnet/accounts/client';

const keptMs = 10_000;
const maximumKeys = 1000;

type Settings = Awaited<ReturnType<Accounts['settings']>>;
type ListOfProviders = Accounts['providers']['list'];
type Providers = Awaited<ReturnType<ListOfProviders>>;
type FindOrganization = Accounts['organizations']['find'];
type Organization = Awaited<ReturnType<FindOrganization>>;

/** Keeps the answer of each key for ten seconds. A failure is not kept. */
const createKept = <Answer>(now: () => number) => {
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>();
  return (key: string, request: () => Promise<Answer>): Promise<Answer> => {
    const found = kept.get(key);
    if (found !== undefined && now() < found.until) return found.answer;
    if (kept.size >= maximumKeys) kept.clear();
    const entry = { answer: request(), until: now() + keptMs };
    kept.set(key, entry);
    entry.answer.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return entry.answer;
  };
};

/** An earlier server has no providers. */
const noneIfNotSupported = (error: unknown): Providers => {
  if (error instanceof AccountsError && error.code === 'not_supported') return { providers: [] };
  throw error;
};

/**
 * The accounts API, with settings, providers and organizations that are requested every ten seconds at most: each page needs them, some of
 * them twice, and they change only when Carnet restarts. Which provider a login name or a hint leads to is not kept.
 */
export const withKeptSettings = (accounts: Accounts, now: () => number = Date.now): Accounts => {
  const settings = createKept<Settings>(now);
  const providers = createKept<Providers>(now);
  const list: ListOfProviders = (input) => {
    const request = () => accounts.providers.list(input).catch(noneIfNotSupported);
    const isOfClientOnly = input.login === undefined && input.hint === undefined && input.organization === undefined;
    return isOfClientOnly ? providers(input.clientId ?? '', request) : request();
  };
  const organizations = createKept<Organization>(now);
  const find: FindOrganization = (input) =>
    organizations(`${input.organization} ${input.clientId ?? ''}`, () => accounts.organizations.find(input));
  return {
    ...accounts,
    settings: () => settings('', accounts.settings),
    providers: { ...accounts.providers, list },
    organizations: { ...accounts.organizations, find },
  };
};
