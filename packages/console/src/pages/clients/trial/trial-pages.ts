import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { clientsMessages } from '../../../messages/clients/index.ts';
import { fill } from '../../../messages/fill.ts';
import { changeForm, choice, hidden, textField } from '../../../page/form.ts';
import { type Html, html } from '../../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page } from '../../../page/route.ts';
import { definitions } from '../../../page/table.ts';
import { clientPath } from '../client-row.ts';
import { backLink } from '../detail.ts';
import { findClient, problemOfInput } from '../find-client.ts';
import { problemNote } from '../problem-note.ts';
import { connect, exchange } from './exchange.ts';
import { outcomeShown } from './outcome-shown.ts';
import { createTrial, endTrial, findTrial, trialRedirectUri } from './trial-client.ts';

/** The parameters of the request that the form asks for. */
const asked = ['scope', 'prompt', 'login_hint', 'acr_values'] as const;

const parameters = (entries: Iterable<[string, string]>): Html =>
  definitions([...entries].map(([name, value]) => [name, html`<bdi>${value}</bdi>`] as const));

const formPage = async (context: PageContext, problem?: string): Promise<Answer> => {
  const { language, link, form } = context;
  const { trial, fields } = clientsMessages(language);
  const client = await findClient(context);
  const title = fill(trial.title, { name: client.client_name || client.client_id });
  if (!client.grant_types.includes('authorization_code')) {
    return page(title, html`<p>${trial.notCode}</p>${backLink(context, client)}`);
  }
  const questions = html`${textField({ name: 'scope', label: fields.scope.label, value: form.get('scope') ?? client.scope })}
${choice({
  name: 'prompt',
  label: trial.prompt,
  value: form.get('prompt') ?? '',
  options: [['', trial.promptDefault], ...['login', 'consent', 'none'].map((value) => [value, value] as const)],
})}
${textField({ name: 'login_hint', label: trial.loginHint, value: form.get('login_hint') ?? '' })}
${textField({ name: 'acr_values', label: trial.acr, value: form.get('acr_values') ?? '' })}`;
  return page(
    title,
    html`<p>${trial.about}</p><p>${trial.differs}</p>${problemNote(problem)}
${changeForm(link(clientPath(client.client_id, '/try')), trial.start, questions)}${backLink(context, client)}`,
    problem === undefined ? 200 : 400,
  );
};

/** Registers the copy, and shows its authorization request. A link opens it: a form must not lead to another origin. */
const start = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit, language } = context;
  const { trial: texts } = clientsMessages(language);
  const client = await findClient(context);
  if (!client.grant_types.includes('authorization_code')) return formPage(context, texts.notCode);
  try {
    const trial = await createTrial(context, client);
    audit('console.client.tryLogin', { clientId: client.client_id });
    const given = asked.flatMap((name) => {
      const value = form.get(name)?.trim();
      return value ? [[name, value] as const] : [];
    });
    const url = buildAuthorizationUrl(await connect(server, trial), {
      ...Object.fromEntries(given),
      redirect_uri: trialRedirectUri(context),
      state: trial.state,
      nonce: trial.nonce,
      code_challenge: await calculatePKCECodeChallenge(trial.verifier),
      code_challenge_method: 'S256',
    });
    return page(
      fill(texts.title, { name: client.client_name || client.client_id }),
      html`<h2>${texts.step1}</h2><p><code>GET ${url.origin}${url.pathname}</code></p>${parameters(url.searchParams)}
<p><a role="button" href="${url.href}">${texts.go}</a></p>${backLink(context, client)}`,
    );
  } catch (error) {
    return formPage(context, problemOfInput(error));
  }
};

/** Shows the answer of the authorization endpoint. The code is redeemed by a form: a link must change nothing. */
const showAnswer = async (context: PageContext): Promise<Answer> => {
  const { language, link, query } = context;
  const { trial: texts } = clientsMessages(language);
  const trial = await findTrial(context, query.get('state') ?? '');
  if (trial === undefined) return page(texts.failed, problemNote(texts.expired), 404);
  const shown = [...query].map(([name, value]): [string, string] => [name, name === 'code' ? '•••' : value]);
  const fields = html`${[...query].map(([name, value]) => hidden(name, value))}`;
  return page(
    fill(texts.title, { name: trial.name }),
    html`<h2>${texts.step2}</h2><p><code>GET ${trialRedirectUri(context)}</code></p>${parameters(shown)}
${changeForm(link('/try/finish'), texts.exchange, fields)}`,
  );
};

/** Redeems the code, shows what came back, and deletes the copy, also after a failure. */
const finish = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit, language, link } = context;
  const { trial: texts } = clientsMessages(language);
  const trial = await findTrial(context, form.get('state') ?? '');
  if (trial === undefined) return page(texts.failed, problemNote(texts.expired), 404);
  const redirectUri = trialRedirectUri(context);
  const outcome = await exchange(server, trial, { redirectUri, parameters: form });
  await endTrial(context, trial);
  audit('console.client.endTrial', { clientId: trial.triedId });
  const again = link(clientPath(trial.triedId, '/try'));
  return page(
    outcome.problem === undefined ? fill(texts.title, { name: trial.name }) : texts.failed,
    html`${problemNote(outcome.problem)}${outcomeShown(context, outcome)}<p>${texts.ended}</p><p><a href="${again}">${texts.again}</a></p>`,
  );
};

/** "Try a login". Only operators: it registers a client. */
export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/clients/:id/try', role: 'operator', answer: (context) => formPage(context) },
  { method: 'POST', path: '/clients/:id/try', role: 'operator', answer: start },
  { method: 'GET', path: '/try/callback', role: 'operator', answer: showAnswer },
  { method: 'POST', path: '/try/finish', role: 'operator', answer: finish },
];
