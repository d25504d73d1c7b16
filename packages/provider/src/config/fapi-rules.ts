import type { Rule } from './rule.ts';
import type { Draft } from './schema.ts';

const rule = (key: string, check: (draft: Draft) => string | false | undefined): Rule => ({
  key,
  check: (draft) => draft.features.fapi.enabled && check(draft),
});

/** The settings that features.fapi (FAPI 2.0 Security Profile) requires, with the section that requires each. */
export const fapiRules: readonly Rule[] = [
  rule(
    'features.par.enabled',
    ({ features }) =>
      !features.par.enabled && 'is off, and FAPI 2.0 needs pushed requests (5.3.2.2). Set FEATURES_PAR to true.',
  ),
  rule(
    'features.dpop.enabled',
    ({ features }) =>
      !features.dpop.enabled &&
      !features.mtls.enabled &&
      'and features.mtls.enabled are off, and FAPI 2.0 binds tokens by one of them (5.3.2.1). Set FEATURES_DPOP or FEATURES_MTLS to true.',
  ),
  ...(['hybrid', 'implicit'] as const).map((name) =>
    rule(
      `features.${name}.enabled`,
      ({ features }) =>
        features[name].enabled &&
        `is on, and FAPI 2.0 allows the response type code only (5.3.2.2). Set FEATURES_${name.toUpperCase()} to false.`,
    ),
  ),
  rule(
    'ttl.authCode',
    ({ ttl }) =>
      ttl.authCode > 60 && `is ${ttl.authCode} seconds, and FAPI 2.0 allows 60 (5.3.2.1). Set TTL_AUTH_CODE to 60.`,
  ),
  rule(
    'keys.idTokenAlg',
    ({ keys }) =>
      keys.idTokenAlg === 'RS256' &&
      'is RS256, which FAPI 2.0 does not allow (5.4.1). Set ID_TOKEN_ALG to ES256 or EdDSA.',
  ),
];
