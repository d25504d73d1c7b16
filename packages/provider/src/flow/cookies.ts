import { hash } from 'node:crypto';
import { flowBegan, isFlowId } from './flow-id.ts';
import type { KeyRing } from './key-ring.ts';

/** 24 flow cookies are about 2.4 KB of request header. */
const maxFlows = 24;

/** The pairs of a Cookie header whose names begin with a prefix, without that prefix. */
const pairsOf = (header: string | undefined, prefix: string): string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));

/**
 * The different values of one name in a Cookie header. More than one value means that another site has set a cookie. A
 * proxy or a client may send one cookie twice; equal values are treated as one cookie.
 */
const valuesOf = (header: string | undefined, name: string): string[] => [...new Set(pairsOf(header, `${name}=`))];

const single = (header: string | undefined, name: string): string | undefined => {
  const values = valuesOf(header, name);
  return values.length === 1 ? values[0] : undefined;
};

const prefixFor = ({ protocol, pathname }: URL): string => {
  const tenant = pathname === '/' ? '' : `_${hash('sha256', pathname, 'base64url').slice(0, 6)}`;
  return `${protocol === 'https:' ? '__Host-' : ''}carnet${tenant}`;
};

/**
 * Creates and reads all cookies. With an https issuer they are `Secure`, and their names begin with `__Host-`, so that a
 * sibling domain cannot set them (RFC 6265bis, section 4.1.3.2). With a path in the issuer, names differ from other
 * issuers' on the same host. A name with two values is refused, which defeats cookie tossing.
 */
export const createCookieJar = ({ keys, issuer }: { keys: Pick<KeyRing, 'mac' | 'verifyMac'>; issuer: string }) => {
  const url = new URL(issuer);
  const secure = url.protocol === 'https:';
  const prefix = prefixFor(url);
  // Lax: the login page returns by a top-level GET from another site. Browsers do not send Strict cookies with it.
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  /** @param maxAge seconds */
  const bake = (name: string, value: string, maxAge: number): string =>
    `${name}=${value}; Max-Age=${maxAge}${attributes}`;
  const flowPrefix = `${prefix}_flow_`;
  const sessionName = `${prefix}_session`;
  const hintName = `${prefix}_consent`;

  const flowsIn = (header: string | undefined): string[] =>
    pairsOf(header, flowPrefix)
      .map((pair) => pair.split('=', 1)[0] ?? '')
      .filter(isFlowId);

  return {
    /** Binds a flow to this browser: an HMAC of the flow's id proves that the flow began in this browser. */
    flow: {
      set: (flowId: string, maxAge: number): string =>
        bake(flowPrefix + flowId, keys.mac('flow_cookie', flowId), maxAge),
      clear: (flowId: string): string => bake(flowPrefix + flowId, '', 0),
      /** Whether this browser began the flow. */
      proves(header: string | undefined, flowId: string): boolean {
        const value = single(header, flowPrefix + flowId);
        return value !== undefined && keys.verifyMac('flow_cookie', flowId, value);
      },
      /** Clears the oldest flow cookies over the limit. Abandoned logins must not exceed the header size limit. */
      evict: (header: string | undefined): string[] =>
        flowsIn(header)
          .toSorted((a, b) => flowBegan(b) - flowBegan(a))
          .slice(maxFlows - 1)
          .map((flowId) => bake(flowPrefix + flowId, '', 0)),
    },
    /** Identifies a remembered login. */
    session: {
      set: (sid: string, maxAge: number): string =>
        bake(sessionName, `${sid}.${keys.mac('session_cookie', sid)}`, maxAge),
      clear: (): string => bake(sessionName, '', 0),
      /** The session id, if its HMAC is valid. The store is never asked for a forged cookie. */
      read(header: string | undefined): string | undefined {
        const [sid = '', mac = '', ...rest] = single(header, sessionName)?.split('.') ?? [];
        return rest.length === 0 && keys.verifyMac('session_cookie', sid, mac) ? sid : undefined;
      },
      present: (header: string | undefined): boolean => valuesOf(header, sessionName).length > 0,
    },
    /** Marks a browser in which a consent was remembered. Without it or a session, no remembered consent is read. */
    consentHint: {
      set: (maxAge: number): string => bake(hintName, '1', maxAge),
      present: (header: string | undefined): boolean => valuesOf(header, hintName).length > 0,
    },
  };
};

export type CookieJar = ReturnType<typeof createCookieJar>;
