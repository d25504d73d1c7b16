import { hash } from 'node:crypto';
import { flowBegan, isFlowId } from './flow-id.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Creates and reads all cookies. With an https issuer their names begin with `__Host-`, so that a sibling domain cannot
 * set them (RFC 6265bis, section 4.1.3.2). A name with two values is refused, which defeats cookie tossing.
 */
export interface CookieJar {
  /**
   * Binds a flow to this browser. Its value is an HMAC of the flow's id, which proves that the flow began in this
   * browser.
   */
  flow: {
    set(flowId: string, maxAgeSeconds: number): string;
    clear(flowId: string): string;
    /** Whether this browser began the flow. */
    proves(header: string | undefined, flowId: string): boolean;
    /** Clears the oldest flow cookies over the limit. Abandoned logins must not exceed the header size limit. */
    evict(header: string | undefined): string[];
  };
  /** Identifies a remembered login. */
  session: {
    set(sid: string, maxAgeSeconds: number): string;
    clear(): string;
    /** The session id, if its HMAC is valid. The store is never asked for a forged cookie. */
    read(header: string | undefined): string | undefined;
    present(header: string | undefined): boolean;
  };
  /**
   * Marks a browser in which a consent was remembered. Without this cookie or a session, no remembered consent is read.
   */
  consentHint: {
    set(maxAgeSeconds: number): string;
    present(header: string | undefined): boolean;
  };
}

/** 24 flow cookies are about 2.4 KB of request header. */
const maxFlows = 24;

/**
 * The different values of one name in a Cookie header. More than one value means that another site has set a cookie. A
 * proxy or a client may send one cookie twice; equal values are treated as one cookie.
 */
const valuesOf = (header: string | undefined, name: string): string[] => [
  ...new Set(
    (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1)),
  ),
];

const single = (header: string | undefined, name: string): string | undefined => {
  const values = valuesOf(header, name);
  return values.length === 1 ? values[0] : undefined;
};

export interface CookieJarOptions {
  readonly keys: Pick<KeyRing, 'mac' | 'verifyMac'>;
  /**
   * With https, cookies are `Secure` and named `__Host-`. With a path, names differ from other issuers' on the same
   * host.
   */
  readonly issuer: string;
}

const prefixFor = ({ protocol, pathname }: URL): string => {
  const tenant = pathname === '/' ? '' : `_${hash('sha256', pathname, 'base64url').slice(0, 6)}`;
  return `${protocol === 'https:' ? '__Host-' : ''}carnet${tenant}`;
};

export const createCookieJar = ({ keys, issuer }: CookieJarOptions): CookieJar => {
  const url = new URL(issuer);
  const secure = url.protocol === 'https:';
  const prefix = prefixFor(url);
  // Lax: the login page returns by a top-level GET from another site. Browsers do not send Strict cookies with it.
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const bake = (name: string, value: string, maxAge: number) => `${name}=${value}; Max-Age=${maxAge}${attributes}`;
  const flowPrefix = `${prefix}_flow_`;
  const sessionName = `${prefix}_session`;
  const hintName = `${prefix}_consent`;

  const flowsIn = (header: string | undefined): string[] =>
    (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(flowPrefix))
      .map((pair) => pair.slice(flowPrefix.length).split('=', 1)[0] ?? '')
      .filter(isFlowId);

  return {
    flow: {
      set: (flowId, maxAge) => bake(flowPrefix + flowId, keys.mac('flow_cookie', flowId), maxAge),
      clear: (flowId) => bake(flowPrefix + flowId, '', 0),
      proves(header, flowId) {
        const value = single(header, flowPrefix + flowId);
        return value !== undefined && keys.verifyMac('flow_cookie', flowId, value);
      },
      evict: (header) =>
        flowsIn(header)
          .toSorted((a, b) => flowBegan(b) - flowBegan(a))
          .slice(maxFlows - 1)
          .map((flowId) => bake(flowPrefix + flowId, '', 0)),
    },
    session: {
      set: (sid, maxAge) => bake(sessionName, `${sid}.${keys.mac('session_cookie', sid)}`, maxAge),
      clear: () => bake(sessionName, '', 0),
      read(header) {
        const [sid = '', mac = '', ...rest] = single(header, sessionName)?.split('.') ?? [];
        return rest.length === 0 && keys.verifyMac('session_cookie', sid, mac) ? sid : undefined;
      },
      present: (header) => valuesOf(header, sessionName).length > 0,
    },
    consentHint: {
      set: (maxAge) => bake(hintName, '1', maxAge),
      present: (header) => valuesOf(header, hintName).length > 0,
    },
  };
};
