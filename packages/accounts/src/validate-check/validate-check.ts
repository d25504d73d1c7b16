import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import type { AccountsEvent } from '../dependencies.ts';
import { accepted, invalid, rejected, unauthorized, type ValidateAnswer } from './answers.ts';
import { type CallerRules, createCallerCheck } from './callers.ts';
import { checkPass, type PassMode, type PassOperations } from './check-pass.ts';

export interface ValidateCheckOptions extends CallerRules, PassOperations {
  readonly mode: PassMode;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

/** A request to `POST /validate/check`, from any HTTP framework. */
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

const parameterSchema = z.object({
  user: z.string().min(1).max(320),
  realm: z.string().max(255).optional(),
  pass: z.string().max(1024),
});

/** The parameters of a form or of a JSON object, or a text that names the problem. Other members have no effect. */
const readParameters = (body: string, contentType = ''): z.output<typeof parameterSchema> | string => {
  // A parser of the surrounding app may have read a form: its fields arrive as JSON.
  const isJson = /^application\/json\b/i.test(contentType) || body.startsWith('{');
  const parsed = parameterSchema.safeParse(isJson ? parseJson(body) : Object.fromEntries(new URLSearchParams(body)));
  return parsed.success
    ? parsed.data
    : 'Missing parameter: send user, pass and optionally realm, as a form or as JSON.';
};

/**
 * The endpoint that privacyIDEA's PAM and RADIUS plug-ins call: `result.value` is the verdict on `user`, `realm` and `pass`.
 * Mount it for POST only: with GET, passwords would be in access logs. Outages are thrown, never reported as a wrong code.
 */
export const createValidateCheck = (options: ValidateCheckOptions): ValidateCheck => {
  const mayAsk = createCallerCheck(options);
  return async (request) => {
    const now = options.now();
    if (!mayAsk(request)) return unauthorized(now);
    const parameters = readParameters(request.body, request.contentType);
    if (typeof parameters === 'string') return invalid(now, parameters);
    const { user, realm, pass } = parameters;
    const login = realm ? `${user}@${realm}` : user;
    const { subject, token } = await checkPass(options, options.mode, { login, pass });
    const result = token === undefined ? 'refused' : 'done';
    await options.emit({ type: 'sign_in', method: 'validate_check', result, subject });
    return token === undefined ? rejected(now) : accepted(now, token);
  };
};
