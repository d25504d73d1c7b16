import { accessMessages } from '../messages/access/index.ts';
import type { Language } from '../messages/languages.ts';
import { changeForm } from '../page/form.ts';
import { type Html, html } from '../page/html.ts';
import { type Answer, type PageContext, page } from '../page/route.ts';

/** The pages around the sign-in, which users without a session see. */
export const createAccessPages = (link: PageContext['link'], issuer: string) => {
  const again = (language: Language): Html =>
    html`<a href="${link('/session/begin', { to: '/' })}">${accessMessages(language).signIn}</a>`;
  return {
    /** For a form whose session has ended meanwhile. */
    ended(language: Language): Answer {
      const texts = accessMessages(language);
      return page(texts.ended, html`<p>${texts.endedForm}</p><p>${again(language)}</p>`, 401);
    },
    withoutRole(language: Language): Answer {
      const texts = accessMessages(language);
      const body = html`<p>${texts.withoutRole}</p>${changeForm(link('/session/end'), texts.signOut)}`;
      return page(texts.noAccess, body, 403);
    },
    failed(language: Language, why: 'otherBrowser' | 'refused'): Answer {
      const texts = accessMessages(language);
      return page(texts.failed, html`<p>${texts[why]}</p><p>${again(language)}</p>`, 400);
    },
    signedOut(language: Language): Answer {
      const texts = accessMessages(language);
      const logout = `${issuer.replace(/\/$/, '')}/oauth2/sessions/logout`;
      return page(
        texts.signedOut,
        html`<p>${texts.signedOutText}</p><ul><li>${again(language)}</li>
<li><a href="${logout}">${texts.signOutEverywhere}</a></li></ul>`,
      );
    },
  };
};
