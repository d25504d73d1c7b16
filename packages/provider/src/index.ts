export type { StorageAdapter } from '@carnet/adapter-contract';
export type { Carnet, CreateProviderOptions } from './assembly/carnet.ts';
export type { Config, ConfigInput } from './config/schema.ts';
export { createProvider } from './create-provider.ts';
export { CarnetError, ConfigError, type ErrorCode, errorTable, GoneError } from './errors.ts';
export type {
  HookAnswer,
  Hooks,
  RefreshTokenHookRequest,
  TokenExchangeAnswer,
  TokenExchangeRequest,
  TokenHookRequest,
} from './hooks/hook.ts';
export type { RegistrationHook } from './registration/policy.ts';
