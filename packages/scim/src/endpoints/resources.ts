import { createProjection } from '../protocol/projection.ts';
import { badRequest } from '../protocol/scim-error.ts';
import type { Resources } from '../resources/resource.ts';
import type { Attributes } from '../schema/attribute.ts';
import { isObject } from '../schema/normalise.ts';
import { type Answer, answer, type Handle, listResponse, type Operation } from './operation.ts';

const defaultCount = 100;
const mostCount = 500;

/** A number of a query. Values that are out of range are the nearest one (RFC 7644, section 3.4.2.4). */
const numberIn = (query: URLSearchParams, name: string, otherwise: number, least: number): number => {
  const text = query.get(name);
  if (text === null || text === '') return otherwise;
  if (!/^-?\d{1,9}$/.test(text)) throw badRequest('invalidValue', `The parameter ${name} must be a whole number.`);
  return Math.max(least, Number(text));
};

/** The version in `If-Match`, weak or strong. A text that is no entity tag matches no version. */
const versionIn = ({ headers }: Operation, name: 'if-match' | 'if-none-match'): string | undefined => {
  const header = headers[name];
  if (header === undefined || header === '*') return undefined;
  return /^(?:W\/)?"([^"]*)"$/.exec(String(header))?.[1] ?? 'none';
};

const etagOf = ({ meta }: Attributes): string => String((meta as { readonly version?: string }).version);
const locationOf = ({ meta }: Attributes): string => String((meta as { readonly location?: string }).location);

const answerList = async (resources: Resources, query: URLSearchParams): Promise<Answer> => {
  const projection = createProjection(query, resources.resourceType);
  const startIndex = numberIn(query, 'startIndex', 1, 1);
  const limit = Math.min(numberIn(query, 'count', defaultCount, 0), mostCount);
  const filter = query.get('filter') || undefined;
  const page = await resources.list({ filter, offset: startIndex - 1, limit }, projection.wants);
  return answer(200, listResponse(page.resources.map(projection.apply), page.total, startIndex));
};

/** `/Users` and `/Groups`: lists, and new resources. */
export const collectionOf =
  (resources: Resources): Handle =>
  async (operation) => {
    if (operation.method === 'GET') return answerList(resources, operation.query);
    const projection = createProjection(operation.query, resources.resourceType);
    const created = await resources.create(await operation.json(), projection.wants);
    return answer(201, projection.apply(created), { Location: locationOf(created), ETag: etagOf(created) });
  };

/** The parameters of a query in a body (RFC 7644, section 3.4.3). */
const queryIn = (body: unknown): URLSearchParams => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  const members = Object.entries(body).filter(
    ([, value]) => /^(?:string|number)$/.test(typeof value) || Array.isArray(value),
  );
  return new URLSearchParams(members.map(([name, value]): [string, string] => [name, String(value)]));
};

/** `POST .search`: a list by parameters in the body. */
export const searchOf =
  (resources: Resources): Handle =>
  async (operation) =>
    answerList(resources, queryIn(await operation.json()));

/** `/Users/{id}` and `/Groups/{id}`: one resource. */
export const resourceOf =
  (resources: Resources, id: string): Handle =>
  async (operation) => {
    const projection = createProjection(operation.query, resources.resourceType);
    const shown = (resource: Attributes) => answer(200, projection.apply(resource), { ETag: etagOf(resource) });
    const ifVersion = versionIn(operation, 'if-match');
    const { wants, isGiven } = projection;
    switch (operation.method) {
      case 'PUT':
        return shown(await resources.replace(id, await operation.json(), { ifVersion, wants }));
      case 'PATCH': {
        // RFC 7644, section 3.5.2: without `attributes`, the answer may be empty.
        const isShort = resources.isLarge && !isGiven;
        const conditions = { ifVersion, wants: isShort ? () => false : wants };
        const changed = await resources.patch(id, await operation.json(), conditions);
        return isShort ? answer(204, undefined, { ETag: etagOf(changed) }) : shown(changed);
      }
      case 'DELETE':
        await resources.remove(id, ifVersion);
        return answer(204, undefined);
      default: {
        const resource = await resources.get(id, wants);
        const isKnown = etagOf(resource) === `W/"${versionIn(operation, 'if-none-match') ?? ''}"`;
        return isKnown ? answer(304, undefined, { ETag: etagOf(resource) }) : shown(resource);
      }
    }
  };
