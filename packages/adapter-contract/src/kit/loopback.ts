import { isIPv4 } from 'node:net';

/**
 * Whether a host, with or without the brackets of a URL, is loopback: what is sent to it in clear text cannot leave the
 * machine. The one step that makes this safe is that a name is accepted only if it is `localhost` itself: any other name, also
 * one below `.localhost` or one that begins with `127.`, is resolved by a server that may answer with another machine.
 */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|::1|\[::1\])$/i.test(host) || (isIPv4(host) && host.startsWith('127.'));
