import { ChoicePage } from '../factors/choice-page.tsx';
import { enrol, needsRecoveryCodes } from '../factors/enrol.tsx';
import { factorKind } from '../factors/sign-in-step.ts';
import { issueForm } from '../page/form.tsx';
import { respond } from '../page/respond.ts';
import { type AccountContext, type AccountPage, accountFlow } from './account-context.ts';
import { respondRecoveryCodes } from './recovery-codes.tsx';
import { respondSaved } from './saved.ts';

/** The kinds to choose from: the one in the URL, or all that are enabled. */
const kindsOf = async ({ accounts, request }: AccountContext) => {
  const { factorKinds: kinds } = await accounts.settings();
  const wanted = factorKind(new URL(request.url).searchParams.get('kind'));
  return wanted === undefined ? kinds : kinds.filter((kind) => kind === wanted);
};

const respondChoice = async (context: AccountContext): Promise<Response> => {
  const { services, request, view } = context;
  const { target, cookie } = issueForm(services, request, accountFlow);
  const kinds = await kindsOf(context);
  const page = <ChoicePage view={view} text={view.text.enrolment.optional} kinds={kinds} target={target} isOfAccount />;
  return respond(view, page, { cookie });
};

/** /account/factors/add: an authenticator app, a code token or a passkey. */
export const addFactor: AccountPage = {
  isFresh: true,
  // The key has been scanned: with a new sign-in the user would have to scan another one. Safe because of `enrolment`, which
  // only a fresh page has got, for this user and for ten minutes.
  continues: (form) => form.get('step') === 'confirm',
  show: respondChoice,
  submit: async (context, form) => {
    const { services, request, accounts, view, login } = context;
    if (form.get('step') === 'choose') return respondChoice(context);
    const { target, cookie } = issueForm(services, request, accountFlow);
    const owner = { subject: login.subject };
    const result = await enrol({ accounts, owner, view, target }, form);
    if (result.state === 'page') return respond(view, result.page, { status: result.status, cookie });
    if (result.state !== 'enrolled') return respondChoice(context);
    if (await needsRecoveryCodes({ accounts, owner })) return respondRecoveryCodes(context);
    return respondSaved(result.factor.kind === 'passkey' ? 'passkeys' : 'factors');
  },
};
