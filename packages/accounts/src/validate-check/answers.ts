/** An answer in the JSON of privacyIDEA 3, without its signature. */
export interface ValidateAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The circumstances of an answer. `version` is shown to plug-ins; `now` is milliseconds since 1970. */
interface Circumstances {
  readonly version: string;
  readonly now: number;
}

const frame = ({ version, now }: Circumstances) => ({ jsonrpc: '2.0', time: now / 1_000, version });

/** The verified factor, under privacyIDEA's names. */
export interface AcceptedToken {
  readonly serial: string;
  readonly type: 'spass' | 'totp' | 'hotp';
}

export const accepted = (circumstances: Circumstances, token: AcceptedToken): ValidateAnswer => ({
  status: 200,
  body: {
    ...frame(circumstances),
    id: 2,
    result: { status: true, value: true, authentication: 'ACCEPT' },
    detail: { message: 'matching 1 tokens', otplen: 6, ...token },
  },
});

/**
 * One answer for an unknown user, a wrong password, PIN or code, and too many attempts. privacyIDEA answers 400 for unknown
 * users: that would reveal which users exist.
 */
export const rejected = (circumstances: Circumstances): ValidateAnswer => ({
  status: 200,
  body: {
    ...frame(circumstances),
    id: 2,
    result: { status: true, value: false, authentication: 'REJECT' },
    detail: { message: 'wrong otp pin' },
  },
});

const failed = (circumstances: Circumstances, status: number, code: number, message: string): ValidateAnswer => ({
  status,
  body: { ...frame(circumstances), id: 1, result: { status: false, error: { code, message } }, detail: null },
});

/** privacyIDEA's code of a missing parameter. */
export const invalid = (circumstances: Circumstances, message: string): ValidateAnswer =>
  failed(circumstances, 400, 905, `ERR905: ${message}`);

/** privacyIDEA's code of a failed authentication of the caller. */
export const unauthorized = (circumstances: Circumstances): ValidateAnswer =>
  failed(
    circumstances,
    401,
    4033,
    'ERR4033: This caller may not check codes: send the token as Authorization header, or ask from an allowed address.',
  );
