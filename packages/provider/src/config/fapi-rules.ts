import type { Rule } from './rule.ts';
import type { Draft } from './schema.ts';

const rule = (key: string, check: Rule['check'], isOn = ({ features }: Draft) => features.fapi.enabled): Rule => ({
  key,
  check: (draft, surroundings) => isOn(draft) && check(draft, surroundings),
});

const advanced = (key: string, check: Rule['check']): Rule =>
  rule(key, check, ({ oidc }) => oidc.profile === 'fapi1-advanced');

/** The settings that `oidc.profile: fapi1-advanced` requires, with the section of FAPI 1.0 Advanced that requires each. */
const advancedRules: readonly Rule[] = [
  advanced(
    'oidc.profile',
    ({ features }) => features.fapi.enabled && 'and features.fapi.enabled are two profiles. Set one of them only.',
  ),
  advanced(
    'features.mtls.enabled',
    ({ features }) =>
      !features.mtls.enabled &&
      'is off, and FAPI 1.0 binds tokens to certificates (5.2.2, 5). Set FEATURES_MTLS to true.',
  ),
  advanced(
    'features.jar.enabled',
    ({ features }) =>
      !features.jar.enabled && 'is off, and FAPI 1.0 needs signed requests (5.2.2, 1). Set FEATURES_JAR to true.',
  ),
  advanced(
    'features.jarm.enabled',
    ({ features }) =>
      !features.jarm.enabled &&
      !features.hybrid.enabled &&
      'and features.hybrid.enabled are off, and FAPI 1.0 needs one of them (5.2.2, 2). Set FEATURES_JARM or FEATURES_HYBRID to true.',
  ),
  advanced(
    'features.implicit.enabled',
    ({ features }) =>
      features.implicit.enabled &&
      'is on, and FAPI 1.0 needs a code in each response (5.2.2, 2). Set FEATURES_IMPLICIT to false.',
  ),
  advanced(
    'keys.idTokenAlg',
    ({ keys }) =>
      keys.idTokenAlg !== 'ES256' &&
      `is ${keys.idTokenAlg}, which FAPI 1.0 does not allow (8.6). Set ID_TOKEN_ALG to ES256.`,
  ),
];

/** The settings that features.fapi (FAPI 2.0 Security Profile) requires, with the section that requires each. */
export const fapiRules: readonly Rule[] = [
  ...advancedRules,
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
