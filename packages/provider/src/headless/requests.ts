import { detailsIn } from '../clients/authorization-details.ts';
import { clientJson } from '../clients/client-json.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import { consentRequestIdOf, loginRequestIdOf, sidOf } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { oidcContext } from '../flow/oidc-context.ts';
import { restartUrl } from '../flow/urls.ts';
import { jsonContentType } from '../http/error-body.ts';
import type { HttpResponse } from '../http/types.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';

/** What is asked of a login or consent app. No member may be added: Hydra's Go SDK refuses unknown ones. */

const common = (issuer: string, challenge: string, { params, waiting, redirectUriOmitted }: FlowState) => ({
  challenge,
  requested_scope: spaceDelimited(params.scope),
  requested_access_token_audience: spaceDelimitedAll([params.audience, params.resource]),
  oidc_context: oidcContext(params),
  request_url: restartUrl(issuer, { params, waiting, redirectUriOmitted }),
});

export const loginRequest = (issuer: string, challenge: string, state: FlowState) => ({
  ...common(issuer, challenge, state),
  skip: state.skipLogin === true,
  subject: state.skipLogin ? (state.session?.subject ?? '') : '',
  session_id: sidOf(state),
});

/** Only for clients that use them: a consent app written for Hydra meets no member that it does not know. */
const requestedDetails = ({ params }: FlowState) =>
  params.authorization_details === undefined
    ? {}
    : { requested_authorization_details: detailsIn(params.authorization_details) };

export const consentRequest = (issuer: string, challenge: string, state: FlowState) => ({
  ...common(issuer, challenge, state),
  consent_request_id: consentRequestIdOf(state),
  skip: state.skipConsent === true,
  subject: state.login?.subject ?? '',
  login_challenge: loginRequestIdOf(state.id),
  login_session_id: sidOf(state),
  acr: state.login?.acr ?? '',
  amr: state.login?.amr ?? [],
  context: state.login?.context ?? {},
  ...requestedDetails(state),
});

/** A request together with its client, which is text already. */
export const askedBy = (client: ClientRecord, request: object): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': jsonContentType },
  body: `${JSON.stringify(request).slice(0, -1)},"client":${clientJson(client)}}`,
});
