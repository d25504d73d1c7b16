import { configurationMessages } from '../../messages/configuration/index.ts';
import { mayChange } from '../../page/form.ts';
import { html } from '../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page } from '../../page/route.ts';
import { examinedShown, examineForm, listOf, scopeIn } from './examine.ts';
import { settingsList } from './settings-list.ts';

const notHere = ({ language }: PageContext): Answer => {
  const texts = configurationMessages(language);
  return page(texts.title, html`<p>${texts.notHere}</p>`);
};

const show = async (context: PageContext): Promise<Answer> => {
  const { server, language } = context;
  const texts = configurationMessages(language);
  if (server.configuration === undefined) return notHere(context);
  const { settings, warnings } = await server.configuration();
  const isExaminable = server.examineConfiguration !== undefined && mayChange(context);
  return page(
    texts.title,
    html`<p>${texts.about}</p><h2>${texts.warnings}</h2>${listOf(warnings, texts.noWarnings)}
${settingsList(context, settings)}${isExaminable ? examineForm(context) : ''}`,
  );
};

const examine = async (context: PageContext): Promise<Answer> => {
  const { server, form, language } = context;
  if (server.examineConfiguration === undefined) return notHere(context);
  const examined = await server.examineConfiguration(form.get('text') ?? '', scopeIn(context));
  return page(
    configurationMessages(language).examine.title,
    html`${examinedShown(context, examined)}${examineForm(context)}`,
  );
};

/** The effective configuration, and what a change would need. Only operators examine: the text reaches the parser. */
export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/configuration', role: 'viewer', answer: show },
  { method: 'POST', path: '/configuration/examine', role: 'operator', answer: examine },
];
