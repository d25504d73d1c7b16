import type { LeanEndpoint } from './lean-endpoint.ts';

/** What is answered in front of oidc-provider, by method and path. */
export const leanEndpoints = (): ReadonlyMap<string, LeanEndpoint> => new Map();
