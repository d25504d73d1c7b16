import { randomUUID } from 'node:crypto';
import { CarnetError } from '@carnet/provider';
import { clientsMessages } from '../../messages/clients/index.ts';
import { fill } from '../../messages/fill.ts';
import { changeForm, checkbox, hidden, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page } from '../../page/route.ts';
import { definitions } from '../../page/table.ts';
import { clientIndexOf } from './client-index.ts';
import { clientLink, rowOf } from './client-row.ts';
import { readDiscovery } from './discovery.ts';
import { problemOfInput } from './find-client.ts';
import { type Kind, kindOfApp, kinds, metadataOf, type Question } from './kinds.ts';
import { problemNote } from './problem-note.ts';
import { secretShown } from './secret-shown.ts';

const kindIn = (value: string | null): Kind | undefined => kinds.find((kind) => kind === value);

const lists: ReadonlySet<Question> = new Set(['redirect_uris', 'post_logout_redirect_uris', 'audience']);
const checkboxes: ReadonlySet<Question> = new Set(['refresh', 'skip_consent']);
const required: ReadonlySet<Question> = new Set(['client_name', 'redirect_uris', 'scope']);

const fieldOf = ({ language, form }: PageContext, kind: Kind, question: Question): Html => {
  const { label, hint } = clientsMessages(language).fields[question];
  if (checkboxes.has(question)) {
    return html`${checkbox(question, label, form.get(question) === 'true')}<p><small>${hint}</small></p>`;
  }
  const proposed = question === 'scope' ? kindOfApp[kind].scope : '';
  return textField({
    ...{ name: question, label, hint, required: required.has(question) },
    value: form.get(question) ?? proposed,
    lines: lists.has(question) ? 3 : undefined,
  });
};

/** The configuration key of a grant type that the server does not offer. */
const missingFeature = async (context: PageContext, kind: Kind): Promise<string | undefined> => {
  const offered = (await readDiscovery(context))?.grant_types_supported;
  const isMissing = offered !== undefined && kindOfApp[kind].grantTypes.some((grant) => !offered.includes(grant));
  return isMissing && kind === 'device' ? 'features.device.enabled' : undefined;
};

const questionsPage = async (context: PageContext, kind: Kind, problem?: string): Promise<Answer> => {
  const { language, link, form } = context;
  const texts = clientsMessages(language);
  const missing = await missingFeature(context, kind);
  const fields = html`${hidden('kind', kind)}${hidden('client_id', form.get('client_id') || randomUUID())}${kindOfApp[
    kind
  ].questions.map((question) => fieldOf(context, kind, question))}`;
  return page(
    `${texts.create.title}: ${texts.kinds[kind].name}`,
    html`<p>${texts.kinds[kind].about}</p>
${missing === undefined ? '' : problemNote(fill(texts.create.notOffered, { key: missing }))}
${problemNote(problem)}${changeForm(link('/new-client'), texts.create.submit, fields)}
<p><a href="${link('/new-client')}">${texts.create.otherKind}</a></p>`,
    problem === undefined ? 200 : 400,
  );
};

const kindsPage = ({ language, link }: PageContext): Answer => {
  const texts = clientsMessages(language);
  const entries = kinds.map(
    (kind) =>
      html`<dt><a href="${link('/new-client', { kind })}">${texts.kinds[kind].name}</a></dt><dd>${texts.kinds[kind].about}</dd>`,
  );
  return page(texts.create.title, html`<p>${texts.create.question}</p><dl>${entries}</dl>`);
};

const create = async (context: PageContext): Promise<Answer> => {
  const { server, form, now, audit, language } = context;
  const texts = clientsMessages(language).create;
  const kind = kindIn(form.get('kind'));
  if (kind === undefined) return kindsPage(context);
  try {
    // The form has chosen the id. So a form that is sent twice does not register a second client.
    const id = form.get('client_id') || randomUUID();
    const created = await server.clients.create({ ...metadataOf(kind, form), client_id: id });
    audit('console.client.create', { clientId: created.client_id });
    clientIndexOf({ clients: server.clients, now }).put(created);
    const clientId = definitions([[clientsMessages(language).detail.id, html`<code>${created.client_id}</code>`]]);
    // In the answer to the POST request: the secret is in no URL, and no page shows it again.
    return page(
      texts.created,
      html`<p>${clientLink(context, rowOf(created))}</p>${clientId}${secretShown(context, created)}`,
    );
  } catch (error) {
    const isTwice = error instanceof CarnetError && error.code === 'conflict';
    return questionsPage(context, kind, isTwice ? texts.again : problemOfInput(error));
  }
};

/** A client by questions. These pages are not below `/clients/`, where every segment is the id of a client. */
export const routes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/new-client',
    role: 'operator',
    answer: async (context) => {
      const kind = kindIn(context.query.get('kind'));
      return kind === undefined ? kindsPage(context) : questionsPage(context, kind);
    },
  },
  { method: 'POST', path: '/new-client', role: 'operator', answer: create },
];
