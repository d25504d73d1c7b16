import type { IncomingMessage, ServerResponse } from 'node:http';
import { overLimit } from '../limits/request-limits.ts';
import { after, type Eventually, type Held, type Issuer } from '../ports.ts';
import { namedIn } from '../routing/admin-address.ts';
import { addressOf } from '../routing/request-address.ts';
import { releaseAfter } from './public.ts';
import { holdIssuer, type ListenerDependencies, whenKnown } from './select.ts';
import { refuse } from './send.ts';

export interface AdminDependencies extends ListenerDependencies {
  readonly firstIssuer: Issuer;
  /** The issuers to which the token of a request is bound. Undefined: it is not bound, or unknown. */
  readonly boundTo: (authorization: string | undefined) => readonly string[] | undefined;
}

/**
 * The issuer of a request to the admin API: the one that its path names, that of its host, the only one to which its token is
 * bound, or else the first. It is only selected here: the provider of the issuer decides whether the token is valid there.
 */
const issuerOf = (
  { source, firstIssuer, boundTo }: AdminDependencies,
  req: IncomingMessage,
): Eventually<Issuer | undefined> => {
  const named = namedIn(req);
  if (named !== undefined) return source.named(named.name);
  return after(source.at({ host: addressOf(req).host, path: '/' }), (atHost) => {
    if (atHost?.name !== undefined) return atHost;
    const [only, ...others] = boundTo(req.headers.authorization) ?? [];
    return only === undefined || only === '(first)' || others.length > 0 ? firstIssuer : source.named(only);
  });
};

/** The admin API of all issuers. A name that no issuer has is an unknown path of the first. */
export const createAdminListener =
  (deps: AdminDependencies) =>
  (req: IncomingMessage, res: ServerResponse): void =>
    whenKnown(
      () =>
        after(issuerOf(deps, req), (issuer): Eventually<Held | undefined> => {
          if (issuer === undefined) return undefined;
          if (!deps.mayPass(issuer, 'admin')) throw overLimit();
          return holdIssuer(deps, issuer);
        }),
      (held) => {
        if (held !== undefined) {
          releaseAfter(res, held);
          req.url = namedIn(req)?.url ?? req.url;
        }
        (held?.carnet ?? deps.first).adminCallback()(req, res);
      },
      (error) => refuse(res, error),
    );
