import type { Context } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { mayAuthenticateBy } from './clients.ts';

/** The method of a request, by the place of its credentials. With `none`, a certificate may be the proof. */
type ShownMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

const withoutCredentials = ['none', 'tls_client_auth', 'self_signed_tls_client_auth'];

const shownMethod = ({ headers, oidc }: Context): ShownMethod => {
  const { params = {} } = oidc as { readonly params?: Readonly<Record<string, unknown>> };
  if (headers.authorization !== undefined) return 'client_secret_basic';
  if (params.client_secret) return 'client_secret_post';
  return params.client_assertion === undefined ? 'none' : 'private_key_jwt';
};

export interface AuthMethodMismatch {
  readonly registered: string;
  readonly shown: ShownMethod;
}

/** The method of a refused request and the registered one, if they differ. */
export const authMethodMismatch = (ctx: Context): AuthMethodMismatch | undefined => {
  const client = (ctx.oidc as KoaContextWithOIDC['oidc'] | undefined)?.client;
  const { error } = (ctx.body ?? {}) as { readonly error?: string };
  if (client === undefined || ctx.status !== 401 || error !== 'invalid_client') return undefined;
  const shown = shownMethod(ctx);
  const registered = String(client.clientAuthMethod);
  const fits = mayAuthenticateBy(client, shown) || (shown === 'none' && withoutCredentials.includes(registered));
  return fits ? undefined : { registered, shown };
};

const descriptionOf = ({ registered, shown }: AuthMethodMismatch): string =>
  `client authentication failed: token_endpoint_auth_method of the client is ${registered}, and the request used ${shown}`;

/**
 * Names the registered method in the response to a request that used another: many libraries send a secret in the body unless
 * they are configured. Safe without authentication of the client: the authorization endpoint already distinguishes clients
 * from unknown ids, and a method is no credential. The response does not reveal whether the secret was right.
 */
export const nameAuthMethod = async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
  await next();
  const mismatch = authMethodMismatch(ctx);
  if (mismatch === undefined) return;
  const { error_description: former, ...body } = ctx.body as { readonly error_description?: string };
  const error_description = descriptionOf(mismatch);
  ctx.body = { ...body, error_description };
  const challenge = ctx.response.get('WWW-Authenticate');
  if (challenge && former !== undefined) ctx.set('WWW-Authenticate', challenge.replace(former, error_description));
};
