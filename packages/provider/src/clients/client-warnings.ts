import type { RegisteredMetadata } from './client-schema.ts';
import { grantTypes } from './grant-types.ts';

const knownGrantTypes: ReadonlySet<string> = new Set(Object.values(grantTypes));

/** Tests the host as written, because a URL parser would encode some of its characters. */
const hasWildcardHost = (uri: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/?#]*\*/i.test(uri);

const placesOf = (
  values: readonly string[] | undefined,
  isIneffective: (value: string) => boolean,
): readonly number[] => (values ?? []).flatMap((value, place) => (isIneffective(value) ? [place] : []));

/**
 * The parts of a registration that have no effect. They are accepted as in Hydra, and are probably mistakes. A warning
 * names the field, never its value.
 */
export const warningsOf = (
  metadata: Pick<RegisteredMetadata, 'redirect_uris' | 'post_logout_redirect_uris' | 'grant_types'>,
): readonly string[] => [
  ...(['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap((field) =>
    placesOf(metadata[field], hasWildcardHost).map(
      (place) =>
        `${field}.${place} has a "*" in its host, which is not a wildcard: URIs are compared character by character`,
    ),
  ),
  ...placesOf(metadata.grant_types, (type) => !knownGrantTypes.has(type)).map(
    (place) => `grant_types.${place} is not a grant type of this server and is never granted`,
  ),
];
