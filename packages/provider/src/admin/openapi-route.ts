import { z } from 'zod';
import { openApiDocument } from '../http/openapi.ts';
import type { Route } from '../http/types.ts';

/** GET /admin/openapi.json: the document of these routes and of itself, made when it is first asked for. */
export const withOpenApi = (routes: readonly Route[], version: string): readonly Route[] => {
  let body: object | undefined;
  const route: Route = {
    method: 'GET',
    path: '/admin/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Get this OpenAPI document.',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    handle: () => {
      body ??= openApiDocument([...routes, route], {
        title: 'Carnet admin API',
        version,
        description:
          'Clients, tokens, sessions and keys, and the headless login and consent API. Every path is also served without the prefix /admin.',
      });
      return { status: 200, body };
    },
  };
  return [...routes, route];
};
