/** As long as a `client_id` may be on the admin API. */
const maxLength = 255;

/**
 * Whether a `client_id` is a Client Identifier URL (draft-ietf-oauth-client-id-metadata-document-02, section 3). Only the
 * canonical spelling of a URL is accepted: what is compared character by character and what is fetched can't differ, and
 * dot segments, a default port, capital letters in the host and control characters are excluded.
 */
export const isDocumentUrl = (id: string): boolean => {
  if (id.length > maxLength || !id.startsWith('https://') || id.includes('#')) return false;
  const url = URL.parse(id);
  return url !== null && url.href === id && url.username === '' && url.password === '';
};
