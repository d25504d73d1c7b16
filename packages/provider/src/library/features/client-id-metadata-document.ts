import type { Feature } from './feature.ts';

/**
 * Clients whose id is the URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). Announced here;
 * `registration/documents` fetches them. The experimental feature of oidc-provider stays off: Carnet finds clients in its own
 * cache, with its own limits, which the login API and the fast path read too.
 */
export const clientIdMetadataDocument: Feature = {
  name: 'clientIdMetadataDocument',
  create: () => ({ configuration: { discovery: { client_id_metadata_document_supported: true } } }),
};
