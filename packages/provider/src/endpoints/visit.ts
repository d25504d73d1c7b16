import type { StorageAdapter } from '@carnet/adapter-contract';
import type { HttpResponse } from '../http/types.ts';
import type { Browser } from '../interaction/browser.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import type { EndpointRequest } from './endpoint.ts';

/** The visit of a browser with a request of its own unit of work. */
export const visitOf = (
  { headers, message }: Pick<EndpointRequest, 'headers' | 'message'>,
  { adapter }: { readonly adapter: Pick<StorageAdapter, 'read' | 'commit'> },
): Browser => ({ cookieHeader: headers.cookie, message, uow: createUnitOfWork(adapter), cookies: [] });

/** A response with the cookies of a visit. */
export const withCookies = (response: HttpResponse, { cookies }: Browser): HttpResponse =>
  cookies.length === 0 ? response : { ...response, headers: { ...response.headers, 'Set-Cookie': cookies } };
