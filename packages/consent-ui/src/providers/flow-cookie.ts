import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import { cookieNames } from '../http/cookies.ts';
import type { Services } from '../services.ts';

const maxAgeSeconds = 600;
/** The sign-ins at providers that a browser may have open. */
const maximumFlows = 4;

const prefix = 'carnet_provider_';
const flowCookieName = /^(?:__Host-)?(carnet_provider_[\w-]{12})$/;

const flow = z.object({
  /** The `cookie` of `providers.begin`. */
  cookie: z.string(),
  /** The user to whom the account page links the identity. */
  subject: z.string().optional(),
});

/** A sign-in at a provider in the cookie of the browser that began it. */
export type ProviderFlow = z.infer<typeof flow>;

/** A sign-in at a provider: the binding is the login challenge, or that of the account page. */
interface FlowName {
  readonly binding: string;
  readonly provider: string;
}

const nameOf = ({ binding, provider }: FlowName): string =>
  prefix + createHash('sha256').update(`${provider} ${binding}`).digest('base64url').slice(0, 12);

/**
 * The cookie that binds the answer of a provider to the browser that began the sign-in.
 *
 * Safe against an answer that an attacker sends a user because `providers.finish` opens the state only with the cookie of
 * its own flow. It is `SameSite=Lax`, so that a redirect of the provider sends it, and no form of another site does.
 */
export const flowCookie = ({ cookies }: Pick<Services, 'cookies'>, name: FlowName): SealedCookie<ProviderFlow> =>
  cookies.create({ name: nameOf(name), schema: flow, maxAgeSeconds });

/** The names of the other flows of the browser, the oldest first. */
const othersIn = (request: Request, added: FlowName): readonly string[] =>
  cookieNames(request)
    .flatMap((name) => flowCookieName.exec(name)?.[1] ?? [])
    .filter((name) => name !== nameOf(added));

/**
 * Whether a new flow removes no other one. Any site can begin a sign-in in the browser by a link with `idp_hint`: such a
 * sign-in must not remove the flows that the user has begun.
 */
export const hasFlowsLeft = (request: Request, added: FlowName): boolean =>
  othersIn(request, added).length < maximumFlows;

/** The Set-Cookie values that remove the oldest flows, so that a browser has at most four with a new one. */
export const withoutOldFlows = (
  { cookies }: Pick<Services, 'cookies'>,
  request: Request,
  added: FlowName,
): readonly string[] =>
  othersIn(request, added)
    .slice(0, 1 - maximumFlows)
    .map((name) => cookies.create({ name, schema: flow, maxAgeSeconds }).clear());
