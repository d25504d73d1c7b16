import type { Context, Middleware, Next } from 'koa';
import { type FlowState, isDecided } from '../flow/flow-state.ts';
import { authorizationPath } from '../flow/urls.ts';
import type { HttpResponse } from '../http/types.ts';
import { isPlainCode } from '../interaction/authorization-response.ts';
import { type CompletionDependencies, conclude } from '../interaction/completion.ts';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import { type VerifierParam, verifierParams } from '../interaction/resume.ts';
import type { Ending } from '../interaction/step.ts';
import { stateOf } from './request-state.ts';
import { respondWith } from './respond.ts';

export interface FlowMiddlewareDependencies extends CompletionDependencies {
  readonly engine: Pick<FlowEngine, 'resume' | 'codeEnding'>;
}

/** Sends the cookies of a visit. */
const sendCookies = (ctx: Context): void => {
  for (const cookie of stateOf(ctx).cookies) ctx.append('Set-Cookie', cookie);
};

/** Sends the response of a visit, with its cookies. The body of a redirect is text for callers that accept no HTML. */
export const respondToVisit = (ctx: Context, response: HttpResponse): void => {
  respondWith(ctx, response);
  sendCookies(ctx);
  const { Location: location } = response.headers ?? {};
  if (typeof location === 'string') ctx.redirect(location);
};

const verifierOf = (ctx: Context): { purpose: VerifierParam; token: string } | undefined => {
  for (const purpose of verifierParams) {
    const value = ctx.query[purpose];
    if (value !== undefined) return { purpose, token: Array.isArray(value) ? '' : value };
  }
  return undefined;
};

/**
 * The authorization endpoint in front of oidc-provider: a verifier goes to the flow engine. oidc-provider validates the request
 * that a flow begins with, and forms the answers that are more than a code (hybrid, implicit, JARM).
 */
export const createFlowMiddleware = (deps: FlowMiddlewareDependencies): Middleware => {
  const { engine } = deps;

  /** Flows whose answer oidc-provider forms, at its own route for resumed requests. */
  const libraryEnding = (ctx: Context, next: Next): Ending => ({
    ...engine.codeEnding,
    async finish(flow, _client, browser) {
      const request = stateOf(ctx);
      request.flow = flow;
      // All parameters come from the sealed flow: those of the URL and of a form are removed before oidc-provider reads them.
      ctx.method = 'GET';
      ctx.querystring = '';
      ctx.path = `${authorizationPath}/${flow.id}`;
      await next();
      const succeeded = request.isAuthorized === true && isDecided(flow);
      request.onCommitted = await conclude(flow, browser, { succeeded }, deps);
      return undefined;
    },
  });

  const endingOf = ({ params }: FlowState, ctx: Context, next: Next): Ending =>
    isPlainCode(params) ? engine.codeEnding : libraryEnding(ctx, next);

  const resume = async (ctx: Context, next: Next, purpose: VerifierParam, token: string): Promise<void> => {
    const response = await engine.resume(purpose, token, stateOf(ctx), (flow) => endingOf(flow, ctx, next));
    if (response) respondToVisit(ctx, response);
    else sendCookies(ctx);
  };

  return async (ctx, next) => {
    if (ctx.path !== authorizationPath) return next();
    const verifier = verifierOf(ctx);
    if (verifier) return resume(ctx, next, verifier.purpose, verifier.token);
    await next();
    if (stateOf(ctx).next) ctx.status = 302;
    sendCookies(ctx);
  };
};
