export type { Operator, Role } from './access/operator.ts';
export type { AccessRules, SessionLimits } from './access/settings.ts';
export {
  type Console,
  type ConsoleLogger,
  type ConsoleSettings,
  type CreateConsoleOptions,
  createConsole,
  createConsoleOf,
} from './create-console.ts';
export type {
  ChangeConcern,
  ChangeScope,
  Check,
  ConsoleServer,
  CurrentUser,
  EffectiveConfiguration,
  ExaminedConfiguration,
  LocalFunctions,
  Setting,
  SettingChange,
  SigningKeyState,
  SigningKeys,
} from './server/console-server.ts';
