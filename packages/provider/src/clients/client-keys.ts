import type { RegisteredMetadata } from './client-schema.ts';

/** Whether a client has registered public keys, or the URL of its JWKS. */
export const hasKeys = ({ jwks, jwks_uri }: Pick<RegisteredMetadata, 'jwks' | 'jwks_uri'>): boolean =>
  jwks_uri !== undefined || 'keys' in jwks;
