export type { Operator, Role } from './access/operator.ts';
export type { AccessRules, SessionLimits } from './access/settings.ts';
export type { BrandSettings, LogoFile } from './brand/brand.ts';
export type { PrometheusSettings } from './charts/prometheus.ts';
export {
  type Console,
  type ConsoleLogger,
  type ConsoleSettings,
  type CreateConsoleOptions,
  createConsole,
  createConsoleOf,
} from './create-console.ts';
export { createNodeHandler } from './node-handler.ts';
export { type AdminApiOptions, openAdminApiServer } from './server/admin-api/open-admin-api.ts';
export type {
  ChangeConcern,
  ChangeScope,
  Check,
  ConsoleServer,
  CurrentUser,
  EffectiveConfiguration,
  ExaminedConfiguration,
  FetchedKeys,
  LocalFunctions,
  Setting,
  SettingChange,
  SigningKeyState,
  SigningKeys,
} from './server/console-server.ts';
