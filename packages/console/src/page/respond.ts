import type { Context } from 'hono';
import type { Operator } from '../access/operator.ts';
import type { Brand } from '../brand/brand.ts';
import { commonMessages } from '../messages/common/index.ts';
import type { Language } from '../messages/languages.ts';
import { html } from './html.ts';
import { renderLayout } from './layout.ts';
import { problemOf } from './problem.ts';
import type { Answer, PageContext } from './route.ts';

export interface RespondDependencies {
  readonly link: PageContext['link'];
  readonly brand: Brand;
  /** The path below the mount point. */
  readonly pathOf: (context: Context) => string;
  readonly languageOf: (context: Context) => Language;
  readonly logger: { error(fields: object, message: string): void };
}

const statusOf = { notFound: 404, forbidden: 403, otherOrigin: 403 } as const;

/** Turns answers, refusals and errors into responses. */
export const createRespond = ({ link, brand, pathOf, languageOf, logger }: RespondDependencies) => {
  const answer = async (context: Context, answered: Answer, operator?: Operator): Promise<Response> => {
    if (answered instanceof Response) return answered;
    if (answered.type === 'redirect') return context.redirect(answered.to, 303);
    const { title, body, status = 200 } = answered;
    const language = languageOf(context);
    const text = await renderLayout({ title, body, language, link, brand, path: pathOf(context), operator });
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    return new Response(String(text), { status, headers });
  };
  const problem = (context: Context, status: number, message: string, operator?: Operator) =>
    answer(context, { type: 'page', title: String(status), body: html`<p>${message}</p>`, status }, operator);
  const textsOf = (context: Context) => commonMessages(languageOf(context)).problems;

  return {
    answer,
    refuse: (context: Context, why: keyof typeof statusOf, operator?: Operator) =>
      problem(context, statusOf[why], textsOf(context)[why], operator),
    /** The page for an error. Only errors without a message for operators are logged. */
    failure(context: Context, error: unknown, operator?: Operator): Promise<Response> {
      const { status, message } = problemOf(error, textsOf(context));
      if (status === 500) logger.error({ err: error }, 'a page of the console failed');
      return problem(context, status, message, operator);
    },
  };
};
