/** `@carnet/provider/config`: checking a configuration without starting a provider, for programs that read one from files. */
export { type ClientSettings, secretVariableOf } from '../clients/configured/config.ts';
export type { ConfigInput } from '../config/config-input.ts';
export { configDefaults, configJsonSchema } from '../config/json-schema.ts';
export {
  completeConfig,
  type Examined,
  examineConfig,
  type Problem,
  parseConfig,
  problemText,
} from '../config/parse-config.ts';
export { isSecretKey, redact, redactUrl } from '../config/print.ts';
export { isProduction } from '../config/production.ts';
export { type DevMode, type DevSecrets, type Layout, layoutWith, rule, type Surroundings } from '../config/rule.ts';
export { type Completed, type Config, configSchema, type Draft } from '../config/schema.ts';
export { allKeys, hasConfigKey, kindOfKey } from '../config/schema-keys.ts';
export { getAt, isTree, mergeTrees, type Origins, type Tree, withAt, withoutAt } from '../config/settings.ts';
export { suggest } from '../config/suggest.ts';
export { CarnetError, ConfigError } from '../errors.ts';
export { type FeatureName, featureNames } from '../library/features/config.ts';
export { parseGoDuration } from '../text/go-duration.ts';
