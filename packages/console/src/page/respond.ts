import type { Context } from 'hono';
import type { Operator } from '../access/operator.ts';
import type { Brand } from '../brand/brand.ts';
import { commonMessages } from '../messages/common/index.ts';
import type { Language } from '../messages/languages.ts';
import { type Html, html } from './html.ts';
import { type Frame, layoutEnd, layoutStart, renderLayout } from './layout.ts';
import { encoded, untilAborted } from './limited-stream.ts';
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

const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };

const statusOf = { notFound: 404, forbidden: 403, otherOrigin: 403 } as const;

/** Turns answers, refusals and errors into responses. */
export const createRespond = ({ link, brand, pathOf, languageOf, logger }: RespondDependencies) => {
  const textsOf = (context: Context) => commonMessages(languageOf(context)).problems;
  /** The status and the message of an error. Only errors without a message for operators are logged. */
  const explain = (context: Context, error: unknown) => {
    const explained = problemOf(error, textsOf(context));
    if (explained.status === 500) logger.error({ err: error }, 'a page of the console failed');
    return explained;
  };
  /** The page with its parts. Its status is sent before an error can occur: the page ends with the message. */
  async function* wholePage(context: Context, frame: Frame, parts: AsyncGenerator<Html>): AsyncGenerator<string> {
    yield String(await layoutStart(frame));
    try {
      for await (const part of parts) yield String(await part);
    } catch (error) {
      yield String(await html`<p role="alert"><strong>${explain(context, error).message}</strong></p>`);
    }
    yield String(await layoutEnd(frame));
  }

  const answer = async (context: Context, answered: Answer, operator?: Operator): Promise<Response> => {
    if (answered instanceof Response) return answered;
    if (answered.type === 'redirect') return context.redirect(answered.to, 303);
    const frame = {
      title: answered.title,
      language: languageOf(context),
      link,
      brand,
      path: pathOf(context),
      operator,
    };
    if (answered.type === 'stream') {
      const body = untilAborted(encoded(wholePage(context, frame, answered.parts)), answered.slot);
      // Proxies would keep the parts back without the last header.
      return new Response(body, { headers: { ...pageHeaders, 'x-accel-buffering': 'no' } });
    }
    const { body, status = 200 } = answered;
    return new Response(String(await renderLayout({ ...frame, body })), { status, headers: pageHeaders });
  };
  const problem = (context: Context, status: number, message: string, operator?: Operator) =>
    answer(context, { type: 'page', title: String(status), body: html`<p>${message}</p>`, status }, operator);

  return {
    answer,
    refuse: (context: Context, why: keyof typeof statusOf, operator?: Operator) =>
      problem(context, statusOf[why], textsOf(context)[why], operator),
    /** The page for an error. */
    failure(context: Context, error: unknown, operator?: Operator): Promise<Response> {
      const { status, message } = explain(context, error);
      return problem(context, status, message, operator);
    },
  };
};
