/** An answer in the JSON of privacyIDEA 3, without its signature. */
export interface ValidateAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const frame = (now: number) => ({ jsonrpc: '2.0', time: now / 1_000, version: 'Carnet' });

/** The verified factor, under privacyIDEA's names. */
export interface AcceptedToken {
  readonly serial: string;
  readonly type: 'spass' | 'totp' | 'hotp';
}

const verdict = (now: number, result: object, detail: object): ValidateAnswer => ({
  status: 200,
  body: { ...frame(now), id: 2, result: { status: true, ...result }, detail },
});

export const accepted = (now: number, token: AcceptedToken): ValidateAnswer =>
  verdict(now, { value: true, authentication: 'ACCEPT' }, { message: 'matching 1 tokens', otplen: 6, ...token });

/**
 * One answer for an unknown user, a wrong password, PIN or code, and too many attempts. privacyIDEA answers 400 for unknown
 * users: that would reveal which users exist.
 */
export const rejected = (now: number): ValidateAnswer =>
  verdict(now, { value: false, authentication: 'REJECT' }, { message: 'wrong otp pin' });

const failed = (now: number, status: number, code: number, message: string): ValidateAnswer => ({
  status,
  body: { ...frame(now), id: 1, result: { status: false, error: { code, message } }, detail: null },
});

/** The answer to a missing parameter, with privacyIDEA's error code. */
export const invalid = (now: number, message: string): ValidateAnswer => failed(now, 400, 905, `ERR905: ${message}`);

/** The answer to a caller that is not authenticated, with privacyIDEA's error code. */
export const unauthorized = (now: number): ValidateAnswer =>
  failed(
    now,
    401,
    4033,
    'ERR4033: This caller may not check codes: send the token in the Authorization header, or call from an allowed address.',
  );
