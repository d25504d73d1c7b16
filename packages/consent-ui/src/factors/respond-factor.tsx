import type { Open } from '../page/flow.ts';
import { respond } from '../page/respond.ts';
import type { Services } from '../services.ts';
import { FactorPage } from './factor-page.tsx';
import { contextOf, type FactorKind, hiddenFields, type SignInStep } from './sign-in-step.ts';
import { signInUrl } from './sign-in-url.ts';

export interface ShownFactorPage {
  readonly step: SignInStep;
  /** The kind that the user chose; by default the first one of `preference` that the user has. */
  readonly kind?: FactorKind | undefined;
  readonly message?: string;
}

const preference: readonly FactorKind[] = ['passkey', 'totp', 'hotp', 'pin', 'recovery_code'];

/** The page that asks for a second factor. */
export const respondFactor = async (
  services: Services,
  request: Request,
  open: Open<'login'>,
  { step, kind, message }: ShownFactorPage,
): Promise<Response> => {
  const { challenge, view } = open;
  const has = (wanted: FactorKind) => step.kinds.includes(wanted);
  const chosen = kind !== undefined && has(kind) ? kind : (preference.find(has) ?? 'recovery_code');
  const { token, cookie } = services.formTokens.issue(request, challenge);
  const hidden = hiddenFields(step);
  const ceremony =
    chosen === 'passkey'
      ? await services.accounts.signIn.passkeyOptions({
          ...contextOf(services, request, open),
          progress: step.progress,
        })
      : undefined;
  const page = (
    <FactorPage
      view={view}
      step={step}
      kind={chosen}
      target={{ action: signInUrl(challenge, '/factor'), token, hidden }}
      passkey={ceremony && { target: { action: signInUrl(challenge, '/passkey'), token, hidden }, ceremony }}
      startAgain={signInUrl(challenge)}
      message={message}
    />
  );
  return respond(view, page, { status: message === undefined ? 200 : 401, cookie });
};
