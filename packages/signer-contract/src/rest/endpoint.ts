import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import { SignerUnfitError } from '../port.ts';

/**
 * The origin of a service from its configured address.
 *
 * A request carries a credential that can sign tokens. It is never sent in clear text over a network, because `http:` is
 * refused here for each host but loopback.
 *
 * @param name the setting, for the message
 * @throws SignerUnfitError
 */
export const parseEndpoint = (name: string, address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SignerUnfitError(`${name} is not a URL. Set it to an https URL.`);
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new SignerUnfitError(`${name} has more than a scheme, a host and a port. Set it to https://host[:port].`);
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new SignerUnfitError(`${name} is an http URL of another machine: the credential could be read. Use https.`);
  }
  return url;
};
