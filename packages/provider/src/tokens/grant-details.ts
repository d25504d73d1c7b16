import { z } from 'zod';
import { permissionsOf, scopesWith } from '../clients/client-permissions.ts';
import { givenShape, isOfRegistration, type RegisteredClient } from '../clients/registration-id.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import { keptRequest } from '../flow/kept-request.ts';
import { members, payloadReader, strings } from '../storage/payload.ts';
import { spaceDelimited } from '../text/space-delimited.ts';

export const grantPayload = z.object({
  ...givenShape,
  scope: z.string(),
  audience: strings,
  /** Granted resources: an access token is for one of them at most (RFC 8707). */
  resources: strings.optional(),
  sid: z.string(),
  idToken: members.optional(),
  accessToken: members.optional(),
  /** Absent from grants that an earlier version stored. */
  request: keptRequest.optional(),
  /** Seconds since 1970: when the user authenticated. Absent from grants that an earlier version stored. */
  authTime: z.number().optional(),
  acr: z.string().optional(),
  amr: strings.optional(),
  /** The consent was remembered, for this many seconds, or indefinitely (0). */
  rememberFor: z.number().optional(),
  /** True if a remembered consent covered the request. */
  skip: z.literal(true).optional(),
  /** The `context` of the accepted consent. */
  context: z.unknown().optional(),
  authorizationDetails: z
    .array(z.looseObject({ type: z.string() }))
    .readonly()
    .optional(),
  /** The subject that the login app has set for pairwise clients. */
  forcedSubject: z.string().optional(),
});

/** The payload of a `grant` record. */
export type GrantPayload = Readonly<z.output<typeof grantPayload>>;

export const readGrant = payloadReader(grantPayload);

/** The part of a grant that its client is registered for today. */
export interface EffectiveGrant {
  /** All scopes of the grant, those of its open resources among them. */
  readonly scope: string;
  /** The scopes of a token that is for none of the resources. */
  readonly ownScope: string;
  readonly audience: readonly string[];
  /** The scopes of a token for a resource, by its identifier. */
  readonly resources: ReadonlyMap<string, string>;
}

/**
 * Reduces a grant to what its client is registered for today.
 *
 * @returns undefined if the grant was given to a client that was registered under this id before.
 */
export const effectiveGrant = (
  { scope, audience, resources = [], ...given }: GrantPayload,
  client: RegisteredClient,
  matches: ScopeMatch,
): EffectiveGrant | undefined => {
  if (!isOfRegistration(client, given)) return undefined;
  const registered = permissionsOf(client);
  const granted = spaceDelimited(scope);
  const scopeFor = (named: readonly string[]): string => {
    const held = scopesWith(client, named);
    return granted.filter((one) => matches(held, one)).join(' ');
  };
  const ownScope = scopeFor([]);
  const usable = resources.filter((one) => registered.audience.has(one));
  return {
    scope: resources.length === 0 ? ownScope : scopeFor(resources),
    ownScope,
    audience: audience.filter((one) => registered.audience.has(one)),
    // Each by itself: the scopes of an open resource are in no token for another resource of the same grant.
    resources: new Map(usable.map((one) => [one, scopeFor([one])])),
  };
};
