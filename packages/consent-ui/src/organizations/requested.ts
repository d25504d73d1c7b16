import { z } from 'zod';
import type { Flow } from '../api/admin-api.ts';
import { requestParameter } from '../api/request-parameter.ts';
import type { Services } from '../services.ts';

/** The `context` of a login, which `respondSignIn` and `acceptKnown` have written after the check of the membership. */
const contextOfLogin = z.object({ organization: z.string().optional() }).catch({});

/** Longer than every name: a longer one is cut, and stays unknown. */
const maximumLength = 64;

interface Asked {
  readonly request_url?: string | null | undefined;
  readonly context?: unknown;
}

const nameIn = (flow: Flow, asked: Asked): string | undefined => {
  if (flow === 'consent') return contextOfLogin.parse(asked.context).organization;
  return flow === 'login' ? requestParameter(asked, 'organization') || undefined : undefined;
};

/**
 * The name of the organization: that of the request in a login, and that of the login in its consent. Undefined without
 * organizations: the parameter may then have a meaning of the application's own.
 */
export const organizationIn = async (
  { accounts }: Pick<Services, 'accounts'>,
  flow: Flow,
  asked: Asked,
): Promise<string | undefined> => {
  const name = nameIn(flow, asked)?.slice(0, maximumLength);
  return name !== undefined && (await accounts.settings()).organizations ? name : undefined;
};
