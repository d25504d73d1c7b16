import { z } from 'zod';

const list = z
  .array(z.string())
  .nullish()
  .transform((items) => items ?? []);

const client = z.object({
  client_id: z.string(),
  client_name: z.string().nullish(),
  scope: z.string().nullish(),
  logo_uri: z.string().nullish(),
  policy_uri: z.string().nullish(),
  tos_uri: z.string().nullish(),
  skip_consent: z.boolean().nullish(),
  skip_logout_consent: z.boolean().nullish(),
});

const oidcContext = z
  .object({
    login_hint: z.string().nullish(),
    ui_locales: z.array(z.string()).nullish(),
    acr_values: z.array(z.string()).nullish(),
  })
  .nullish();

export const loginRequest = z.object({
  skip: z.boolean(),
  subject: z.string(),
  client,
  oidc_context: oidcContext,
  request_url: z.string().nullish(),
  session_id: z.string().nullish(),
});

export const consentRequest = z.object({
  skip: z.boolean().nullish(),
  subject: z.string(),
  client,
  oidc_context: oidcContext,
  request_url: z.string().nullish(),
  context: z.unknown().optional(),
  requested_scope: list,
  requested_access_token_audience: list,
});

export const logoutRequest = z.object({
  subject: z.string().nullish(),
  sid: z.string().nullish(),
  rp_initiated: z.boolean().nullish(),
  request_url: z.string().nullish(),
  client: client.nullish(),
});

export const redirect = z.object({ redirect_to: z.string() });

export type Client = z.infer<typeof client>;
export type LoginRequest = z.infer<typeof loginRequest>;
export type ConsentRequest = z.infer<typeof consentRequest>;
export type LogoutRequest = z.infer<typeof logoutRequest>;

export interface LoginAcceptance {
  readonly subject: string;
  readonly remember: boolean;
  readonly remember_for: number;
  /** For the consent. */
  readonly context?: unknown;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly auth_time?: number;
}

export interface ConsentAcceptance {
  readonly grant_scope: readonly string[];
  readonly grant_access_token_audience: readonly string[];
  readonly session: {
    readonly id_token: Readonly<Record<string, unknown>>;
    readonly access_token?: Readonly<Record<string, unknown>>;
  };
  readonly remember: boolean;
  readonly remember_for: number;
}

export interface Rejection {
  readonly error: string;
  readonly error_description: string;
}
