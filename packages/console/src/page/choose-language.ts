import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { isLanguage } from '../messages/languages.ts';
import { languageCookie } from '../messages/negotiate.ts';
import { readForm } from './form-body.ts';
import { pathIn } from './link.ts';
import type { PageContext } from './route.ts';

const aYear = 31_536_000;

/** Keeps the language that the operator has chosen in a cookie, and returns to the page. */
export const chooseLanguage = async (context: Context, link: PageContext['link'], url: URL): Promise<Response> => {
  const form = await readForm(context.req.raw);
  const chosen = form.get('language') ?? '';
  const options = { path: link('') || '/', maxAge: aYear, httpOnly: true, sameSite: 'Lax' } as const;
  const secure = url.protocol === 'https:';
  if (isLanguage(chosen)) setCookie(context, languageCookie, chosen, { ...options, secure });
  return context.redirect(link(pathIn(form.get('to'))), 303);
};
