import { z } from 'zod';
import { CarnetError } from '../errors.ts';
import type { HttpRequest, Route, RouteDescription } from '../http/types.ts';
import { acceptBackchannel, acceptConsent, acceptDevice, acceptLogin, rejectRequest } from '../requests/arguments.ts';
import type { Requests } from '../requests/create-requests.ts';
import { answers, backchannelBody, consentBody, loginBody, logoutBody, redirectBody, wire } from './wire.ts';

interface Row {
  readonly path: `${keyof Requests}${'' | '/accept' | '/reject'}`;
  readonly operationId: string;
  readonly summary: string;
  readonly takes?: z.ZodObject;
  readonly answer: z.ZodType | null;
  /** The arguments are as they were sent: `requests` parses them. */
  // biome-ignore lint/suspicious/noExplicitAny: the functions take their own types, and validate what they get
  call(challenge: string, sent: any): Promise<any>;
  /** The body of the answer. Absent: 204, without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: the result of \`call\`
  readonly toBody?: (result: any) => object | string;
}

/** Members of Hydra's body that are accepted and not used. */
const rejectBody = wire.schemaOf(rejectRequest).extend({ error_debug: z.string(), status_code: z.int() }).partial();

const loginRows = ({ login }: Requests): readonly Row[] => [
  {
    path: 'login',
    operationId: 'getOAuth2LoginRequest',
    summary: 'Get a login request: which client asks for a login, and what it asks for.',
    answer: answers.login,
    call: login.get,
    toBody: loginBody,
  },
  {
    path: 'login/accept',
    operationId: 'acceptOAuth2LoginRequest',
    summary: 'Accept a login request. Redirect the browser to redirect_to.',
    takes: acceptLogin,
    answer: answers.redirect,
    call: login.accept,
    toBody: redirectBody,
  },
  {
    path: 'login/reject',
    operationId: 'rejectOAuth2LoginRequest',
    summary: 'Reject a login request. Redirect the browser to redirect_to, which returns the error to the client.',
    takes: rejectRequest,
    answer: answers.redirect,
    call: login.reject,
    toBody: redirectBody,
  },
];

const consentRows = ({ consent }: Requests): readonly Row[] => [
  {
    path: 'consent',
    operationId: 'getOAuth2ConsentRequest',
    summary: 'Get a consent request: which client asks, and for which scopes and audience.',
    answer: answers.consent,
    call: consent.get,
    toBody: consentBody,
  },
  {
    path: 'consent/accept',
    operationId: 'acceptOAuth2ConsentRequest',
    summary:
      'Accept a consent request with the scopes and the audience that the user granted. Redirect the browser to redirect_to.',
    takes: acceptConsent,
    answer: answers.redirect,
    call: consent.accept,
    toBody: redirectBody,
  },
  {
    path: 'consent/reject',
    operationId: 'rejectOAuth2ConsentRequest',
    summary: 'Reject a consent request. Redirect the browser to redirect_to, which returns the error to the client.',
    takes: rejectRequest,
    answer: answers.redirect,
    call: consent.reject,
    toBody: redirectBody,
  },
];

const logoutRows = ({ logout }: Requests): readonly Row[] => [
  {
    path: 'logout',
    operationId: 'getOAuth2LogoutRequest',
    summary: 'Get a logout request: which session it ends, and which client asks.',
    answer: answers.logout,
    call: logout.get,
    toBody: logoutBody,
  },
  {
    path: 'logout/accept',
    operationId: 'acceptOAuth2LogoutRequest',
    summary: 'Accept a logout request. Redirect the browser to redirect_to, which ends the session.',
    answer: answers.redirect,
    call: logout.accept,
    toBody: redirectBody,
  },
  {
    path: 'logout/reject',
    operationId: 'rejectOAuth2LogoutRequest',
    summary: 'Reject a logout request. The session stays.',
    answer: null,
    call: logout.reject,
  },
];

const backchannelRows = ({ backchannel }: Requests): readonly Row[] => [
  {
    path: 'backchannel',
    operationId: 'getBackchannelAuthenticationRequest',
    summary: 'Get a backchannel authentication request (CIBA): which client asks, and for what.',
    answer: answers.backchannel,
    call: backchannel.get,
    toBody: backchannelBody,
  },
  {
    path: 'backchannel/accept',
    operationId: 'acceptBackchannelAuthenticationRequest',
    summary: 'Accept a backchannel authentication request with the user and the granted scopes.',
    takes: acceptBackchannel,
    answer: null,
    call: backchannel.accept,
  },
  {
    path: 'backchannel/reject',
    operationId: 'rejectBackchannelAuthenticationRequest',
    summary: 'Reject a backchannel authentication request. The client receives the error.',
    takes: rejectRequest,
    answer: null,
    call: backchannel.reject,
  },
];

const deviceRows = ({ device }: Requests): readonly Row[] => [
  {
    path: 'device/accept',
    operationId: 'acceptUserCodeRequest',
    summary: 'Accept the user code of a device. Redirect the browser to redirect_to.',
    takes: acceptDevice,
    answer: answers.redirect,
    call: device.accept,
    toBody: redirectBody,
  },
];

const describe = ({ path, takes, answer, operationId, summary }: Row): RouteDescription => {
  const page = path.split('/', 1)[0] as keyof Requests;
  const hasPage = page !== 'backchannel';
  const name = `${page}_challenge`;
  return {
    operationId,
    summary,
    query: {
      [name]: hasPage
        ? `The challenge that the ${page} page received.`
        : 'The challenge that the notification contained.',
      ...(hasPage && { challenge: `An older name of ${name}.` }),
    },
    required: hasPage ? [] : [name],
    ...(takes && { body: { schema: takes === rejectRequest ? rejectBody : wire.schemaOf(takes) } }),
    answers: Object.fromEntries([[answer ? 200 : 204, answer], ...(hasPage ? [[410, answers.redirect]] : [])]),
  };
};

/** The challenge, under its name or the older name `challenge`. */
const challengeIn = ({ query }: HttpRequest, name: string): string => {
  const values = [...query.getAll(name), ...query.getAll('challenge')];
  const [challenge] = values;
  if (challenge === undefined || challenge === '') {
    throw new CarnetError('invalid_request', `Query parameter '${name}' is not defined but should have been.`);
  }
  if (values.length > 1) throw new CarnetError('invalid_request', `Query parameter '${name}' is given more than once.`);
  return challenge;
};

export interface HeadlessOptions {
  /** The features whose routes exist. */
  readonly backchannel: boolean;
  readonly device: boolean;
}

/** The login, consent, logout, device and CIBA API over HTTP. `requests` has to name members by `wire.nameOf`. */
export const headlessRoutes = (requests: Requests, { backchannel, device }: HeadlessOptions): readonly Route[] =>
  [loginRows, consentRows, logoutRows, ...(backchannel ? [backchannelRows] : []), ...(device ? [deviceRows] : [])]
    .flatMap((rows) => rows(requests))
    .map((row) => ({
      method: row.path.includes('/') ? 'PUT' : 'GET',
      path: `/admin/oauth2/auth/requests/${row.path}`,
      ...describe(row),
      handle: async (request) => {
        const challenge = challengeIn(request, `${row.path.split('/', 1)[0]}_challenge`);
        const sent = row.takes && wire.argumentsIn(row.takes, await request.json());
        const result: unknown = await row.call(challenge, sent);
        return row.toBody ? { status: 200, body: row.toBody(result) } : { status: 204 };
      },
    }));
