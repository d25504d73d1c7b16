import type { FeatureName } from '../library/features/config.ts';
import { type Rule, rule } from './rule.ts';
import type { Draft } from './schema.ts';

/** Rules that apply while a profile is on. */
const during =
  (isOn: (draft: Draft) => boolean) =>
  (...[key, isBroken, problem]: Parameters<typeof rule<Draft>>): Rule =>
    rule(key, (draft, surroundings) => isOn(draft) && isBroken(draft, surroundings), problem);

const advanced = during(({ oidc }) => oidc.profile === 'fapi1-advanced');
const fapi2 = during(({ features }) => features.fapi.enabled);

/** A feature that a profile needs, or forbids. */
const feature = (profile: typeof advanced, name: FeatureName, isNeeded: boolean, reason: string): Rule =>
  profile(
    `features.${name}.enabled`,
    ({ features }) => features[name].enabled !== isNeeded,
    `is ${isNeeded ? 'off' : 'on'}, and ${reason}. Set FEATURES_${name.toUpperCase()} to ${isNeeded}.`,
  );

/** The settings that `oidc.profile: fapi1-advanced` requires, with the section of FAPI 1.0 Advanced that requires each. */
const advancedRules: readonly Rule[] = [
  advanced(
    'oidc.profile',
    ({ features }) => features.fapi.enabled,
    'and features.fapi.enabled are two profiles. Set one of them only.',
  ),
  feature(advanced, 'mtls', true, 'FAPI 1.0 binds tokens to certificates (5.2.2, 5)'),
  feature(advanced, 'jar', true, 'FAPI 1.0 needs signed requests (5.2.2, 1)'),
  advanced(
    'features.jarm.enabled',
    ({ features }) => !features.jarm.enabled && !features.hybrid.enabled,
    'and features.hybrid.enabled are off, and FAPI 1.0 needs one of them (5.2.2, 2). Set FEATURES_JARM or FEATURES_HYBRID to true.',
  ),
  feature(advanced, 'implicit', false, 'FAPI 1.0 needs a code in each response (5.2.2, 2)'),
  advanced(
    'keys.idTokenAlg',
    ({ keys }) => keys.idTokenAlg !== 'ES256',
    ({ keys }) => `is ${keys.idTokenAlg}, which FAPI 1.0 does not allow (8.6). Set ID_TOKEN_ALG to ES256.`,
  ),
];

/** The settings that features.fapi (FAPI 2.0 Security Profile) requires, with the section that requires each. */
export const fapiRules: readonly Rule[] = [
  ...advancedRules,
  feature(fapi2, 'par', true, 'FAPI 2.0 needs pushed requests (5.3.2.2)'),
  fapi2(
    'features.dpop.enabled',
    ({ features }) => !features.dpop.enabled && !features.mtls.enabled,
    'and features.mtls.enabled are off, and FAPI 2.0 binds tokens by one of them (5.3.2.1). Set FEATURES_DPOP or FEATURES_MTLS to true.',
  ),
  feature(fapi2, 'hybrid', false, 'FAPI 2.0 allows the response type code only (5.3.2.2)'),
  feature(fapi2, 'implicit', false, 'FAPI 2.0 allows the response type code only (5.3.2.2)'),
  fapi2(
    'ttl.authCode',
    ({ ttl }) => ttl.authCode > 60,
    ({ ttl }) => `is ${ttl.authCode} seconds, and FAPI 2.0 allows 60 (5.3.2.1). Set TTL_AUTH_CODE to 60.`,
  ),
  fapi2(
    'keys.idTokenAlg',
    ({ keys }) => keys.idTokenAlg === 'RS256',
    'is RS256, which FAPI 2.0 does not allow (5.4.1). Set ID_TOKEN_ALG to ES256 or EdDSA.',
  ),
];
