/** An issuer and where it is; without a name: the first one. */
export interface Address {
  readonly name: string | undefined;
  readonly issuer: string;
}

/** The first segments of the paths of endpoints below an issuer. */
export const endpointSegments: ReadonlySet<string> = new Set(['.well-known', 'oauth2', 'scim', 'userinfo']);

/** With those of a listener: no issuer may have its path there, below another one. */
const takenSegments: ReadonlySet<string> = new Set([...endpointSegments, 'health', 'version']);

interface Place extends Address {
  readonly host: string;
  /** Without a slash at the end. */
  readonly path: string;
}

/** The path of an issuer, without a slash at the end; empty if it has none. */
export const pathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

const placeOf = (address: Address): Place => ({
  ...address,
  host: new URL(address.issuer).host,
  path: pathOf(address.issuer),
});

const titleOf = ({ name }: Address): string => (name === undefined ? 'the first issuer' : `the issuer "${name}"`);

/** Why an issuer below the path of another one is not reachable: that one has an endpoint there. */
const shadowOf = ({ path }: Place, other: Place): string | undefined => {
  if (!path.startsWith(`${other.path}/`)) return undefined;
  const segment = path.slice(other.path.length + 1).split('/', 1)[0] ?? '';
  if (!takenSegments.has(segment)) return undefined;
  return `has a path at which ${titleOf(other)} has endpoints of its own. Choose another one than /${segment}.`;
};

interface AddressProblem {
  readonly name: string;
  readonly message: string;
}

/** Browsers send the cookies of a host to all its ports: the names of cookies differ by scheme and by path alone. */
const cookiesOf = ({ issuer, path }: Place): string => {
  const { protocol, hostname } = new URL(issuer);
  return `${protocol}//${hostname}${path}`;
};

const cookieProblems = (places: readonly Place[]): readonly AddressProblem[] => {
  const holders = new Map(places.toReversed().map((place) => [cookiesOf(place), place]));
  return places.flatMap((place) => {
    const holder = holders.get(cookiesOf(place)) ?? place;
    if (place.name === undefined || holder.host === place.host) return [];
    const message = `differs from the URL of ${titleOf(holder)} in the port alone, so that browsers send the cookies of both to both. Give each issuer a host or a path of its own.`;
    return [{ name: place.name, message }];
  });
};

/** The problems of issuers that are not reachable beside the others, or share cookies with them. The first issuer has none. */
export const addressProblems = (addresses: readonly Address[]): readonly AddressProblem[] => {
  const all = addresses.map(placeOf);
  const byHost = Map.groupBy(all, ({ host }) => host);
  const unreachable = [...byHost.values()].flatMap((places) => {
    const byPath = new Map(places.toReversed().map((place) => [place.path, place]));
    return places.flatMap((place) => {
      const holder = byPath.get(place.path) ?? place;
      const message =
        holder === place
          ? places.map((other) => shadowOf(place, other)).find((problem) => problem !== undefined)
          : `is also the URL of ${titleOf(holder)}. Give each issuer a host or a path of its own.`;
      return place.name === undefined || message === undefined ? [] : [{ name: place.name, message }];
    });
  });
  return [...unreachable, ...cookieProblems(all)];
};
