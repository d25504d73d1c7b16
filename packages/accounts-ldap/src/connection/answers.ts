import { ResultCodeError } from 'ldapts';

/** The result code of an answer (RFC 4511, section 4.1.9); undefined if the server did not answer. */
export const resultCodeOf = (error: unknown): number | undefined =>
  error instanceof ResultCodeError ? error.code : undefined;

/** Result codes of a server that cannot serve: 51 (busy), 52 (unavailable), and those from 81, which clients set for a lost server. */
export const isServerDown = (code: number): boolean => code === 51 || code === 52 || code >= 81;

/** Node.js' code of a network or TLS error. */
const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The remedies by result code of the server, and by error code of Node.js. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server listens there: check host and port.',
  ECONNRESET: 'The server closed the connection: check whether the port speaks TLS (ldaps://) or not (ldap://).',
  ENOTFOUND: 'The host name does not resolve: check the URL and the DNS.',
  EAI_AGAIN: 'The DNS does not answer.',
  EHOSTUNREACH: 'The network does not reach the host: check routes and firewalls.',
  ETIMEDOUT: 'The host does not answer: check firewalls.',
  CERT_HAS_EXPIRED: "Renew the server's certificate.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "Configure the authority of the server's certificate (caFile).",
  UNABLE_TO_GET_ISSUER_CERT: "Configure the authority of the server's certificate (caFile).",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "Configure the authority of the server's certificate (caFile).",
  SELF_SIGNED_CERT_IN_CHAIN: "Configure the authority of the server's certificate (caFile).",
  DEPTH_ZERO_SELF_SIGNED_CERT: "Configure the server's certificate as authority (caFile).",
  CERT_SIGNATURE_FAILURE: "The configured authority did not sign the server's certificate (caFile).",
  ERR_TLS_CERT_ALTNAME_INVALID: "Use the name in the server's certificate in the URL.",
  2: 'The server does not support the request.',
  4: 'The server limits the number of results: allow paged results for the service account.',
  8: 'The server requires TLS: use ldaps:// or startTls.',
  10: 'The entry is on another server, and referrals are not followed: configure that server, or the global catalogue (port 3268 or 3269) of Active Directory.',
  13: 'The server requires TLS: use ldaps:// or startTls.',
  32: 'The base DN does not exist, or the service account may not read it.',
  34: 'A DN in the configuration is malformed.',
  48: 'The server does not allow this account to bind with a password.',
  49: 'Check bindDn and bindPassword.',
  50: 'Give the service account the right to read these entries.',
  51: 'The server is busy.',
  52: 'The server is not available.',
  53: 'The server refuses the request: check bindDn and bindPassword.',
};

/** The text of an error without the hexadecimal code that ldapts adds. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : `${error}`).replace(/\s*Code: 0x[0-9a-f]+$/, '').split('\n')[0] ?? '';

/** The server's answer or the network's error, and the remedy. */
export const describeFailure = (error: unknown): string => {
  const code = resultCodeOf(error);
  const text = textOf(error);
  const answer = code === undefined ? text : `the server answered ${code}${text === '' ? '' : ` (${text})`}`;
  const remedy = remedies[code ?? systemCodeOf(error) ?? ''];
  return remedy === undefined ? answer : `${answer}. ${remedy}`;
};
