import { withClientAddress } from './http/client-address.ts';
import { Problem, toProblem } from './problem.ts';
import { respondProblem } from './problem-page.ts';
import { type Route, routeOf } from './routes.ts';
import type { CreatePages, Pages } from './serve/create-pages.ts';
import { openServices, type Services } from './services.ts';
import { fromObject, type Given } from './settings/read-settings.ts';

export type { Pages } from './serve/create-pages.ts';

const notAllowed = ([, post]: Route): Response => {
  const allow = post === undefined ? 'GET, HEAD' : 'GET, HEAD, POST';
  return new Response(null, { status: 405, headers: { allow } });
};

/** The pages of these services. */
export const pagesOf = (services: Services): Pages => {
  const answer = async (request: Request): Promise<Response> => {
    const route = routeOf(new URL(request.url).pathname);
    if (route === undefined) throw new Problem('invalid_link');
    const [get, post] = route;
    if (request.method === 'POST' && post !== undefined) return post(services, request);
    return ['GET', 'HEAD'].includes(request.method) ? get(services, request) : notAllowed(route);
  };

  const handle: Pages = async (received, { address } = {}) => {
    const request = withClientAddress(received, address);
    try {
      const response = await answer(request);
      return request.method === 'HEAD' ? new Response(null, response) : response;
    } catch (thrown) {
      return respondProblem(services, toProblem(thrown), request);
    }
  };
  return handle;
};

export const openPages = (given: Given): Pages => pagesOf(openServices(given));

export const createPages: CreatePages = (settings) => openPages(fromObject(settings));
