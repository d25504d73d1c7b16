import { accepted, invalid, rejected, unauthorized, type ValidateAnswer } from './answers.ts';
import { type CallerRules, createCallerCheck } from './callers.ts';
import { checkPass, type PassMode, type PassOperations } from './check-pass.ts';
import { readParameters } from './parameters.ts';

export interface ValidateCheckOptions extends CallerRules, PassOperations {
  readonly mode: PassMode;
  /** Shown to plug-ins, such as `Carnet 0.1.0`. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A request of `POST /validate/check`, of any HTTP framework. */
export interface ValidateRequest {
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  readonly contentType?: string | undefined;
  /** The address of the caller. */
  readonly address?: string | undefined;
  /** The text of the body: a form, or JSON. */
  readonly body: string;
}

export type ValidateCheck = (request: ValidateRequest) => Promise<ValidateAnswer>;

/**
 * The endpoint of privacyIDEA's that its PAM and RADIUS plug-ins ask: `user`, `realm` and `pass` give `result.value`. Mount
 * it for POST only: with GET, passwords would be in access logs. Outages are thrown: they are never a wrong code.
 */
export const createValidateCheck = (options: ValidateCheckOptions): ValidateCheck => {
  const mayAsk = createCallerCheck(options);
  return async (request) => {
    const circumstances = { version: options.version, now: options.now() };
    if (!mayAsk(request)) return unauthorized(circumstances);
    const parameters = readParameters(request.body, request.contentType);
    if (typeof parameters === 'string') return invalid(circumstances, parameters);
    const { user, realm, pass } = parameters;
    const login = realm ? `${user}@${realm}` : user;
    const token = await checkPass(options, options.mode, { login, pass });
    return token === undefined ? rejected(circumstances) : accepted(circumstances, token);
  };
};
