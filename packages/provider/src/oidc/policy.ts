import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { decodeJwtPayload } from '../flow/jwt-payload.ts';
import type { PresentSubject } from './presented-subject.ts';
import type { RememberedConsents } from './remembered-consents.ts';
import { stateOf } from './request-state.ts';

const { Check, Prompt } = interactionPolicy;

/** Whether `id_token_hint`, verified by now, is of this person: by the `sub` that the client knows, or by the very login. */
const isHinted = ({ oidc }: KoaContextWithOIDC, present: (subject: string) => string): boolean => {
  const hint = oidc.params?.id_token_hint;
  if (typeof hint !== 'string') return true;
  const { sub, sid } = decodeJwtPayload(hint);
  const { accountId, uid } = oidc.session ?? {};
  return accountId !== undefined && (sub === present(accountId) || sid === uid);
};

/** Whether the remembered login of this browser is good enough for the request (OpenID Connect Core, 3.1.2.3). */
const canSkipLogin = (ctx: KoaContextWithOIDC, isHinted: boolean): boolean => {
  const { session, params, prompts } = ctx.oidc;
  if (!session?.accountId || prompts.has('login') || prompts.has('select_account')) return false;
  if (params?.max_age !== undefined && session.past(Number(params.max_age))) return false;
  return isHinted;
};

/** `prompt=none` can be kept: the login app is asked all the same, and told not to show itself by `skip`. */
const goQuietly = (ctx: KoaContextWithOIDC): void => {
  if (!ctx.oidc.prompts.has('none')) return;
  stateOf(ctx).quietly = true;
  (ctx.oidc.params as Record<string, unknown>).prompt = undefined;
};

const resultOf = (ctx: KoaContextWithOIDC): { login?: unknown; consent?: unknown } =>
  (ctx.oidc.result ?? {}) as { login?: unknown; consent?: unknown };

/** True asks the login app. Every request does, once: a remembered login only lets it skip the form. */
const needsLogin = (ctx: KoaContextWithOIDC, isHinted: boolean): boolean => {
  if (resultOf(ctx).login) {
    if (!isHinted) {
      throw new errors.LoginRequired('the person who logged in is not the one id_token_hint names');
    }
    return false;
  }
  const state = stateOf(ctx);
  state.skipLogin = canSkipLogin(ctx, isHinted);
  if (state.skipLogin) goQuietly(ctx);
  return true;
};

const needsConsent = async (ctx: KoaContextWithOIDC, consents: RememberedConsents): Promise<boolean> => {
  if (resultOf(ctx).consent) return false;
  const state = stateOf(ctx);
  state.skipConsent = await consents.covers(ctx);
  if (state.skipConsent) goQuietly(ctx);
  return true;
};

/** Who is asked what, in which order: the login app, then the consent app, as Hydra's users know it. */
export const createPolicy = (consents: RememberedConsents, present: PresentSubject): InstanceType<typeof Prompt>[] => {
  // Named only so that `prompt=select_account` is understood; asking the login app again is what it comes to.
  const selectAccount = new Prompt({ name: 'select_account', requestable: true });
  selectAccount.checks.splice(0);
  return [
    new Prompt(
      { name: 'login' },
      new Check('login_app', 'the login app was not asked yet', 'login_required', (ctx) =>
        needsLogin(
          ctx,
          isHinted(ctx, (subject) => present(ctx, ctx.oidc.client as object, subject)),
        ),
      ),
    ),
    new Prompt(
      { name: 'consent' },
      new Check('consent_app', 'the consent app was not asked yet', 'consent_required', (ctx) =>
        needsConsent(ctx, consents),
      ),
    ),
    selectAccount,
  ].map((prompt) => Object.assign(prompt, { requestable: true }));
};
