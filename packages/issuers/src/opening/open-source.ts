import type { Installation } from '../config/read-issuers.ts';
import { after, type IssuerSource } from '../ports.ts';
import { createFoundIssuers, type IssuerFunctions } from '../routing/found-issuers.ts';
import { createRouteTable } from '../routing/route-table.ts';

/** The configured issuers, and those that the functions of a program find: these come before, at a host and a path of both. */
export const openSource = (
  { first, named, read }: Installation,
  functions: IssuerFunctions,
  onError: (error: unknown) => void,
): IssuerSource => {
  const at = createRouteTable([first, ...named.values()]);
  const configured: IssuerSource = { at, named: (name) => named.get(name) };
  if (read === undefined) return configured;
  const urls = new Set([first, ...named.values()].map(({ config }) => config.issuer));
  const found = createFoundIssuers({
    ...functions,
    ...{ read, onError },
    isTaken: (name) => named.has(name),
    isTakenUrl: (url) => urls.has(url),
  });
  return {
    at: (address) => after(found.at(address), (issuer) => issuer ?? at(address)),
    named: (name) => named.get(name) ?? found.named(name),
  };
};
