import { renderSVG } from 'uqr';
import type { OtpParameters } from './hotp.ts';

/** The `otpauth:` URI that authenticator apps read. The parameters follow Google Authenticator's key URI format. */
export const otpauthUri = (input: {
  readonly kind: 'totp' | 'hotp';
  readonly issuer: string;
  readonly account: string;
  /** In base32. */
  readonly secret: string;
  readonly parameters: OtpParameters;
}): string => {
  const { kind, secret, parameters } = input;
  // A colon separates issuer and account, so neither may contain one.
  const [issuer, account] = [input.issuer, input.account].map((text) => text.replaceAll(':', ' ').trim());
  const values = {
    secret,
    issuer: issuer ?? '',
    algorithm: parameters.algorithm.toUpperCase(),
    digits: String(parameters.digits),
    ...(kind === 'totp' ? { period: String(parameters.periodSeconds) } : { counter: '0' }),
  };
  // Spaces are encoded as `%20`, because some apps display `+` unchanged.
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://${kind}/${encodeURIComponent(issuer ?? '')}:${encodeURIComponent(account ?? '')}?${query.join('&')}`;
};

/** The URI as a QR code: an SVG element without scripts and styles. It is black on white in dark mode too. */
export const qrSvg = (uri: string): string => renderSVG(uri, { border: 4, ecc: 'M' });
