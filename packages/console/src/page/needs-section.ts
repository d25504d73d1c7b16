import { commonMessages } from '../messages/common/index.ts';
import { fill } from '../messages/fill.ts';
import { type Html, html } from './html.ts';
import { type Answer, type PageContext, page } from './route.ts';

/** The sections of the configuration whose parts of the server may be absent. */
type Section = 'accounts' | 'events';

/** Names the section to add, in place of what it would show. */
export const sectionNote = ({ language }: Pick<PageContext, 'language'>, key: Section): Html =>
  html`<p>${fill(commonMessages(language).needsSection, { key })}</p>`;

/** The page in place of one whose part of the server is not configured. */
export const needsSection = (context: PageContext, title: string, key: Section): Answer =>
  page(title, sectionNote(context, key));
