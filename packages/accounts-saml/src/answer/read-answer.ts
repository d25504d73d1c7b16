import { isUtf8 } from 'node:buffer';
import { SamlError } from '../saml-error.ts';
import { childrenOf, type XmlElement } from '../xml/parse-xml.ts';

/** The size of the answer in base64. One with 300 groups and an encrypted assertion has about half of it. */
const mostCharacters = 60_000;

/**
 * The XML of the answer. It is never inflated: an answer in the binding HTTP-Redirect, which may be a deflate bomb, is no XML.
 */
export const readAnswer = (parameters: URLSearchParams): { readonly encoded: string; readonly xml: string } => {
  const [encoded, ...others] = parameters.getAll('SAMLResponse');
  if (encoded === undefined || others.length > 0) throw new SamlError('no_answer');
  if (encoded.length > mostCharacters) throw new SamlError('too_large');
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(encoded)) throw new SamlError('invalid_base64');
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) throw new SamlError('malformed_xml');
  return { encoded, xml: bytes.toString('utf8') };
};

const prefix = 'urn:oasis:names:tc:SAML:2.0:status:';

/** The statuses with which a provider reports that the user stopped, or that it refuses the user (SAML Core, section 3.2.2.2). */
const refusals: ReadonlySet<string> = new Set([
  ...['AuthnFailed', 'RequestDenied', 'NoAuthnContext', 'NoPassive', 'UnknownPrincipal'],
]);

/** The status of an answer without an assertion; undefined for success. It is not signed: it can only refuse. */
export const refusalOf = (
  response: XmlElement,
): { readonly outcome: 'denied' | 'failed'; readonly reason: string } | undefined => {
  const codes: string[] = [];
  let [parent] = childrenOf(response, 'Status');
  while (parent !== undefined && codes.length < 3) {
    [parent] = childrenOf(parent, 'StatusCode');
    if (parent !== undefined) codes.push(parent.getAttribute('Value')?.replace(prefix, '') ?? '');
  }
  if (codes[0] === 'Success') return undefined;
  const reason = codes.filter((code) => /^\w{1,64}$/.test(code)).at(-1) ?? 'no_status';
  return { outcome: refusals.has(reason) ? 'denied' : 'failed', reason };
};
