import type { Bound } from '../tokens/access-token.ts';

/** The members of oidc-provider's token models that are used here. */
export interface Model extends Bound {
  readonly kind: string;
  jti?: string;
  iat?: number;
  exp?: number;
  clientId: string;
  accountId?: string;
  grantId?: string;
  gty?: string;
  scope?: string;
  sid?: string;
  /** The resource that the token is for (RFC 8707). */
  readonly aud?: string;
  readonly expiration: number;
}

/** A token's value, and the payload that oidc-provider stores. Without a payload it stores nothing. */
export type Issue = { value: string; payload?: Record<string, unknown> };

/** Replaces methods of one of the provider's public classes. */
export const patch = (Class: unknown, methods: Record<string, unknown>): void => {
  Object.assign((Class as { prototype: object }).prototype, methods);
};
