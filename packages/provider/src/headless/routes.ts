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
  /** Absent: 204, without a body. */
  readonly answer?: {
    readonly schema: z.ZodType;
    // biome-ignore lint/suspicious/noExplicitAny: the result of `call`
    readonly toBody: (result: any) => object | string;
  };
  /** The arguments are as they were sent: `requests` parses them. */
  // biome-ignore lint/suspicious/noExplicitAny: the functions take their own types, and validate what they get
  readonly call: (requests: Requests, challenge: string, sent: any) => Promise<unknown>;
}

const redirect = { schema: answers.redirect, toBody: redirectBody };

/** Members of Hydra's body that are accepted and not used. */
const rejectBody = wire.schemaOf(rejectRequest).extend({ error_debug: z.string(), status_code: z.int() }).partial();

const rows: readonly Row[] = [
  {
    path: 'login',
    operationId: 'getOAuth2LoginRequest',
    summary: 'Get a login request: which client asks for a login, and what it asks for.',
    answer: { schema: answers.login, toBody: loginBody },
    call: ({ login }, challenge) => login.get(challenge),
  },
  {
    path: 'login/accept',
    operationId: 'acceptOAuth2LoginRequest',
    summary: 'Accept a login request. Redirect the browser to redirect_to.',
    takes: acceptLogin,
    answer: redirect,
    call: ({ login }, challenge, sent) => login.accept(challenge, sent),
  },
  {
    path: 'login/reject',
    operationId: 'rejectOAuth2LoginRequest',
    summary: 'Reject a login request. Redirect the browser to redirect_to, which returns the error to the client.',
    takes: rejectRequest,
    answer: redirect,
    call: ({ login }, challenge, sent) => login.reject(challenge, sent),
  },
  {
    path: 'consent',
    operationId: 'getOAuth2ConsentRequest',
    summary: 'Get a consent request: which client asks, and for which scopes and audience.',
    answer: { schema: answers.consent, toBody: consentBody },
    call: ({ consent }, challenge) => consent.get(challenge),
  },
  {
    path: 'consent/accept',
    operationId: 'acceptOAuth2ConsentRequest',
    summary:
      'Accept a consent request with the scopes and the audience that the user granted. Redirect the browser to redirect_to.',
    takes: acceptConsent,
    answer: redirect,
    call: ({ consent }, challenge, sent) => consent.accept(challenge, sent),
  },
  {
    path: 'consent/reject',
    operationId: 'rejectOAuth2ConsentRequest',
    summary: 'Reject a consent request. Redirect the browser to redirect_to, which returns the error to the client.',
    takes: rejectRequest,
    answer: redirect,
    call: ({ consent }, challenge, sent) => consent.reject(challenge, sent),
  },
  {
    path: 'logout',
    operationId: 'getOAuth2LogoutRequest',
    summary: 'Get a logout request: which session it ends, and which client asks.',
    answer: { schema: answers.logout, toBody: logoutBody },
    call: ({ logout }, challenge) => logout.get(challenge),
  },
  {
    path: 'logout/accept',
    operationId: 'acceptOAuth2LogoutRequest',
    summary: 'Accept a logout request. Redirect the browser to redirect_to, which ends the session.',
    answer: redirect,
    call: ({ logout }, challenge) => logout.accept(challenge),
  },
  {
    path: 'logout/reject',
    operationId: 'rejectOAuth2LogoutRequest',
    summary: 'Reject a logout request. The session stays.',
    call: ({ logout }, challenge) => logout.reject(challenge),
  },
  {
    path: 'backchannel',
    operationId: 'getBackchannelAuthenticationRequest',
    summary: 'Get a backchannel authentication request (CIBA): which client asks, and for what.',
    answer: { schema: answers.backchannel, toBody: backchannelBody },
    call: ({ backchannel }, challenge) => backchannel.get(challenge),
  },
  {
    path: 'backchannel/accept',
    operationId: 'acceptBackchannelAuthenticationRequest',
    summary: 'Accept a backchannel authentication request with the user and the granted scopes.',
    takes: acceptBackchannel,
    call: ({ backchannel }, challenge, sent) => backchannel.accept(challenge, sent),
  },
  {
    path: 'backchannel/reject',
    operationId: 'rejectBackchannelAuthenticationRequest',
    summary: 'Reject a backchannel authentication request. The client receives the error.',
    takes: rejectRequest,
    call: ({ backchannel }, challenge, sent) => backchannel.reject(challenge, sent),
  },
  {
    path: 'device/accept',
    operationId: 'acceptUserCodeRequest',
    summary: 'Accept the user code of a device. Redirect the browser to redirect_to.',
    takes: acceptDevice,
    answer: redirect,
    call: ({ device }, challenge, sent) => device.accept(challenge, sent),
  },
];

const pageOf = ({ path }: Row) => path.split('/', 1)[0] as keyof Requests;

const describe = (row: Row): RouteDescription => {
  const { takes, answer, operationId, summary } = row;
  const page = pageOf(row);
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
    answers: Object.fromEntries([
      answer ? [200, answer.schema] : [204, null],
      ...(hasPage ? [[410, answers.redirect]] : []),
    ]),
  };
};

const prepare = (row: Row) => ({
  row,
  description: describe(row),
  argumentsIn: row.takes && wire.argumentsReader(row.takes),
});

/** Created for the first issuer, and equal for all. */
let prepared: readonly ReturnType<typeof prepare>[] | undefined;

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

/** The login, consent, logout, device and CIBA API over HTTP. `requests` has to name members by `wire.nameOf`. */
export const headlessRoutes = (
  requests: Requests,
  features: { readonly backchannel: boolean; readonly device: boolean },
): readonly Route[] => {
  const enabled = { login: true, consent: true, logout: true, ...features };
  prepared ??= rows.map(prepare);
  return prepared
    .filter(({ row }) => enabled[pageOf(row)])
    .map(({ row, description, argumentsIn }) => ({
      method: row.path.includes('/') ? 'PUT' : 'GET',
      path: `/admin/oauth2/auth/requests/${row.path}`,
      ...description,
      handle: async (request) => {
        const challenge = challengeIn(request, `${pageOf(row)}_challenge`);
        const result = await row.call(requests, challenge, argumentsIn?.(await request.json()));
        return row.answer ? { status: 200, body: row.answer.toBody(result) } : { status: 204 };
      },
    }));
};
