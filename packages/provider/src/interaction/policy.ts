import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { RememberedConsents } from '../consents/remembered-consents.ts';
import { decodeJwtPayload } from '../flow/jwt-payload.ts';
import type { PresentSubject } from '../library/presented-subject.ts';
import { stateOf } from '../library/request-state.ts';

const { Check, Prompt } = interactionPolicy;

interface DemandedAcr {
  readonly essential?: boolean;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
}

/** What the `claims` parameter demands of the ID token. */
const demandedOf = ({ oidc }: KoaContextWithOIDC): { readonly sub?: { readonly value?: unknown }; acr?: DemandedAcr } =>
  (oidc.claims as { id_token?: object } | undefined)?.id_token ?? {};

/**
 * Whether the person is the one that the request names, if it names one (OpenID Connect Core, 3.1.2.1 and 5.5.1): by
 * `id_token_hint`, verified by now, or the `claims` parameter; by the `sub` that the client knows, or by the very login.
 */
const isDemanded = (ctx: KoaContextWithOIDC, present: PresentSubject): boolean => {
  const { params, session, client } = ctx.oidc;
  const hint = params?.id_token_hint;
  const { sub: hinted, sid } = typeof hint === 'string' ? decodeJwtPayload(hint) : {};
  const { sub: claimed } = demandedOf(ctx);
  if (hinted === undefined && claimed?.value === undefined) return true;
  if (session?.accountId === undefined) return false;
  const subject = present(ctx, client as object, session.accountId);
  const isHinted = hinted === undefined || hinted === subject || sid === session.uid;
  return isHinted && (claimed?.value === undefined || claimed.value === subject);
};

/** An `acr` asked for as essential is one of those named, or the login has failed (OpenID Connect Core, 5.5.1.1). */
const isDemandedAcr = (ctx: KoaContextWithOIDC, reached: string | undefined): boolean => {
  const { essential, value, values = value === undefined ? undefined : [value] } = demandedOf(ctx).acr ?? {};
  return !essential || values === undefined || values.includes(reached);
};

/** For people who have no account yet: Initiating User Registration 1.0, section 4.1, and Hydra's word for it. */
const registrationPrompts = ['create', 'registration'] as const;

export const asksForAccount = (prompts: ReadonlySet<string>): boolean =>
  registrationPrompts.some((prompt) => prompts.has(prompt));

/** Whether the remembered login of this browser is good enough for the request (OpenID Connect Core, 3.1.2.3). */
const canSkipLogin = (ctx: KoaContextWithOIDC, present: PresentSubject): boolean => {
  const { session, params, prompts } = ctx.oidc;
  if (!session?.accountId || prompts.has('login') || prompts.has('select_account')) return false;
  if (asksForAccount(prompts)) return false;
  if (params?.max_age !== undefined && session.past(Number(params.max_age))) return false;
  return isDemanded(ctx, present) && isDemandedAcr(ctx, session.acr);
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
const needsLogin = (ctx: KoaContextWithOIDC, present: PresentSubject): boolean => {
  if (resultOf(ctx).login) {
    if (!isDemanded(ctx, present)) {
      throw new errors.LoginRequired('the person who logged in is not the one the request names');
    }
    if (!isDemandedAcr(ctx, ctx.oidc.session?.acr)) {
      throw new errors.UnmetAuthenticationRequirements('the login is not of a class that the request demands');
    }
    return false;
  }
  const state = stateOf(ctx);
  state.skipLogin = canSkipLogin(ctx, present);
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
  // Named only so that they are understood; asking the login app again is what they come to.
  const understood = ['select_account', ...registrationPrompts].map((name) => {
    const prompt = new Prompt({ name, requestable: true });
    prompt.checks.splice(0);
    return prompt;
  });
  return [
    new Prompt(
      { name: 'login' },
      new Check('login_app', 'the login app was not asked yet', 'login_required', (ctx) => needsLogin(ctx, present)),
    ),
    new Prompt(
      { name: 'consent' },
      new Check('consent_app', 'the consent app was not asked yet', 'consent_required', (ctx) =>
        needsConsent(ctx, consents),
      ),
    ),
    ...understood,
  ].map((prompt) => Object.assign(prompt, { requestable: true }));
};
