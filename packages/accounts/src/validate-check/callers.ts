import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

export interface CallerRules {
  /** The token that callers send as `Authorization: <token>` or `Authorization: Bearer <token>`. */
  readonly token?: string | undefined;
  /** Addresses and networks (CIDR) of callers that need no token. */
  readonly allow: readonly string[];
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const networksOf = (allow: readonly string[]): BlockList => {
  const networks = new BlockList();
  for (const entry of allow) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, Number(prefix), family);
  }
  return networks;
};

/** An IPv4 address as an IPv6 socket shows it (`::ffff:192.0.2.1`) is the IPv4 address. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether a caller may check codes: with the right token, or from an allowed address. Without a token and allowed addresses, no caller may. */
export const createCallerCheck = ({ token, allow }: CallerRules) => {
  const networks = networksOf(allow);
  const expected = token === undefined ? undefined : sha256(token);
  const isAllowedAddress = (address: string): boolean => {
    const plain = unmapped(address);
    const version = isIP(plain);
    return version !== 0 && networks.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };
  return ({
    authorization,
    address,
  }: {
    authorization?: string | undefined;
    address?: string | undefined;
  }): boolean => {
    if (isAllowedAddress(address ?? '')) return true;
    if (expected === undefined) return false;
    const sent = (authorization ?? '').replace(/^Bearer +/i, '').trim();
    return timingSafeEqual(sha256(sent), expected);
  };
};
