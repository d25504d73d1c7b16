import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { formPostPolicy } from '../http/security-headers.ts';

/** The event that oidc-provider emits with the Koa context right before it renders an authorization response. */
const events = ['authorization.success', 'authorization.error', 'server_error'] as const;

/** The page of `response_mode=form_post` may run its own script and load nothing. An error page sets its own policy later. */
export const restrictFormPost = (provider: Provider): void => {
  const restrict = (ctx: KoaContextWithOIDC): void => {
    const { response_mode: mode } = ctx.oidc.params ?? (ctx.method === 'POST' ? ctx.oidc.body : ctx.query) ?? {};
    if (String(mode).startsWith('form_post')) ctx.set('Content-Security-Policy', formPostPolicy);
  };
  for (const event of events) provider.on(event as 'authorization.success', restrict);
};
