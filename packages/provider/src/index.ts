export type { StorageAdapter } from '@carnet/adapter-contract';
export type { Api } from './api.ts';
export type { CachePurge, Carnet, CreateProviderOptions, ProviderStats } from './assembly/carnet.ts';
export type { Shared, SharedOptions } from './assembly/shared.ts';
export type { AuthorizationDetail } from './clients/authorization-details.ts';
export type { PatchOperation } from './clients/client-patch.ts';
export type { OAuth2Client } from './clients/client-record.ts';
export type { ClientLifespans, RegisteredMetadata } from './clients/client-schema.ts';
export type {
  ChangedOAuth2Client,
  ClientMetadata,
  ClientQuery,
  Clients,
  CreatedOAuth2Client,
} from './clients/manage-clients.ts';
export type { CreateRegistrationToken, RegistrationToken, RegistrationTokens } from './clients/registration-tokens.ts';
export type { ConfigInput } from './config/config-input.ts';
export type { Completed, Config, Draft } from './config/schema.ts';
export type { Consent, ConsentQuery, ConsentSelection, Consents } from './consents/consent.ts';
export { createProvider } from './create-provider.ts';
export { CarnetError, type CarnetErrorOptions, ConfigError, type ErrorCode, errorTable, GoneError } from './errors.ts';
export type { AskingDevice } from './flow/flow-state.ts';
export type { OidcContext } from './flow/oidc-context.ts';
export type {
  Actor,
  ExchangedToken,
  HookAnswer,
  HookClaims,
  Hooks,
  TokenExchangeAnswer,
  TokenExchangeRequest,
  TokenHook,
  TokenHookRequest,
} from './hooks/hook.ts';
export type { BrowserPlace } from './http/browser-place.ts';
export type { ConnectHandler } from './http/public-handler.ts';
export type { WebHandler, WebRequestOptions } from './http/web-handler.ts';
export type { Jwk } from './keys/sets/jwk-schema.ts';
export type { GenerateKey, JwkInput, Keys } from './keys/sets/manage-keys.ts';
export type { RegistrationHook } from './registration/policy.ts';
export type {
  AcceptBackchannel,
  AcceptConsent,
  AcceptDevice,
  AcceptLogin,
  RejectRequest,
} from './requests/arguments.ts';
export type { BackchannelRequest, BackchannelRequests } from './requests/backchannel.ts';
export type { PageRequest, Redirect } from './requests/challenge.ts';
export type { ConsentRequest, ConsentRequests } from './requests/consent.ts';
export type { Requests } from './requests/create-requests.ts';
export type { DeviceRequests } from './requests/device.ts';
export type { LoginRequest, LoginRequests } from './requests/login.ts';
export type { LogoutRequest, LogoutRequests } from './requests/logout.ts';
export type { EndedSession } from './sessions/deliveries.ts';
export type { LoginSession, SessionQuery, SessionSelection, Sessions } from './sessions/revoke-sessions.ts';
export type { StorageConfig } from './storage/config.ts';
export type { Page, PageQuery } from './storage/page.ts';
export type { Logger, WriteLine } from './telemetry/logger.ts';
export type { MetricsSnapshot } from './telemetry/metrics.ts';
export type { Confirmation } from './tokens/access-token.ts';
export type { Introspection } from './tokens/introspect.ts';
export type { IntrospectOptions, Tokens } from './tokens/manage-tokens.ts';
export type { TrustedIssuer, TrustedIssuerQuery, TrustedIssuers, TrustIssuer } from './trust/trusted-issuers.ts';
