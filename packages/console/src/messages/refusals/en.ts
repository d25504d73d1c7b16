/** The texts of the page that explains refusals. */
export const en = {
  intro:
    'Paste the URL of an authorization request (or its query), an access token, refresh token, ID token, logout token, client assertion, request object or authorization code. What you paste is not stored, not logged and not put into a URL.',
  field: 'URL or token',
  check: 'Check it',
  again: 'Check another one',
  kinds: {
    request: 'Authorization request',
    accessToken: 'Access token',
    refreshToken: 'Refresh token',
    idToken: 'ID token',
    logoutToken: 'Logout token',
    clientAssertion: 'Client assertion',
    code: 'Authorization code',
    unknown: 'Unknown text',
  },
  refused: 'Refused by the check “{check}”',
  accepted: 'Every check passes.',
  undecided: 'No check fails. Some cannot be decided here.',
  columns: { check: 'Check', result: 'Result', given: 'Given', expected: 'Expected', reference: 'Reference' },
  results: { passed: 'passed', failed: 'failed', skipped: 'not reached', unknown: 'cannot be decided here' },
  caption: 'The checks, in the order of the server',
  toDo: 'What to do',
  answer: 'Answer of the server',
  toClient: 'It was sent to the redirect URI of the client.',
  toUser: 'Users see it on an error page, because there is no redirect URI that is safe.',
  content: 'Content',
  checks: {
    kind: {
      name: 'The text is a request or a token',
      remedy: 'Paste a whole URL, query or token. A token that another server has issued is unknown here.',
    },
    endpoint: {
      name: 'The URL is the authorization endpoint of this issuer',
      remedy:
        'Use authorization_endpoint of the discovery document. A missing slash, another host or http in place of https is another endpoint.',
    },
    flow: {
      name: 'The URL begins a flow',
      remedy: 'This URL continues a flow that another browser has begun, and is used once. Begin again at the client.',
    },
    limits: {
      name: 'The sizes and characters of the parameters',
      remedy:
        'Shorten the parameter, send the request by POST, or push it (PAR). No parameter may have control characters.',
    },
    clientId: { name: 'client_id is given once', remedy: 'Send client_id once, beside the request object, too.' },
    client: {
      name: 'The client is registered',
      remedy: 'Compare client_id with the list of clients. A deleted client, or one of another issuer, is unknown.',
    },
    redirectUri: {
      name: 'redirect_uri is registered',
      remedy: 'Register exactly this redirect_uri: scheme, host, port, path, slash and case are compared as text.',
    },
    once: { name: 'No parameter is repeated', remedy: 'Send each parameter once. Only resource may be repeated.' },
    requestSource: {
      name: 'Only one of request and request_uri',
      remedy: 'Send the request object by value or by reference, not both.',
    },
    requestObject: {
      name: 'The request object is accepted',
      remedy:
        'Sign it with a registered key and algorithm of the client; check iss, aud, exp and nbf. Register a request_uri, or push the request.',
    },
    pushed: {
      name: 'The pushed request',
      remedy:
        'Its parameters were checked when it was pushed. request_uri is used once, by the client that has pushed it, and expires soon. It is not opened here, because that would use it up.',
    },
    pushedOnly: {
      name: 'The client may send requests that are not pushed',
      remedy: 'Push the request to /oauth2/par, or switch off require_pushed_authorization_requests of the client.',
    },
    signedOnly: {
      name: 'The client may send unsigned requests',
      remedy: 'Send a signed request object, or switch off require_signed_request_object of the client.',
    },
    responseTypeOffered: {
      name: 'The server enables response_type',
      remedy:
        'The server does not enable this response type: set features.implicit.enabled or features.hybrid.enabled, or send response_type=code.',
    },
    responseType: {
      name: 'response_type is registered',
      remedy: 'Send response_type=code, or register the response type for the client.',
    },
    responseMode: {
      name: 'response_mode is allowed',
      remedy: 'Leave response_mode out, or use form_post or fragment for responses with tokens.',
    },
    registration: {
      name: 'The request registers no client',
      remedy: 'Register the client before its first request, and leave registration out.',
    },
    replay: {
      name: 'nonce or state is given',
      remedy:
        'Send a new random nonce with each request that asks for an ID token at the authorization endpoint; FAPI 1.0 needs state without openid.',
    },
    prompt: {
      name: 'prompt is known',
      remedy: 'Use login, consent, select_account, create or none. none must be alone.',
    },
    scopeSyntax: {
      name: 'scope has the syntax of RFC 6749',
      remedy: 'Separate scopes by one space. Quotes, backslashes and other characters are not allowed.',
    },
    openid: {
      name: 'The scope openid is requested where it is needed',
      remedy: 'Add openid to scope, or leave out the parameters that only OpenID Connect defines.',
    },
    pkce: {
      name: 'The PKCE challenge',
      remedy: 'Send code_challenge (43 to 128 characters) with code_challenge_method=S256. plain is refused.',
    },
    claims: {
      name: 'The parameter claims',
      remedy: 'claims is a JSON object with id_token or userinfo. userinfo needs an access token.',
    },
    details: {
      name: 'The authorization details',
      remedy: 'authorization_details is a JSON list. Each type must be configured, and registered for the client.',
    },
    resource: {
      name: 'The resource is registered',
      remedy:
        'resource is an absolute URI without a fragment, configured under resources and in the audience of the client.',
    },
    hint: {
      name: 'id_token_hint is an ID token of this client',
      remedy: 'Send an ID token that this issuer has issued to this client, or leave the hint out.',
    },
    scope: {
      name: 'The client is registered for the scopes',
      remedy: 'Add the scope to the client, or do not request it.',
    },
    audience: {
      name: 'The client is registered for the audience',
      remedy: 'Add the audience to the client, or do not request it.',
    },
    maxAge: { name: 'max_age is a number of seconds', remedy: 'Send max_age in digits only, 0 or greater.' },
    other: {
      name: 'Another check of the server',
      remedy: 'The error of the server names the problem. The list of errors in the documentation explains each code.',
    },
    format: {
      name: 'The format of the token',
      remedy: 'The token was cut off, changed, or issued by another server. Compare the first and last characters.',
    },
    algorithm: {
      name: 'The token is signed with an accepted algorithm',
      remedy: 'none and HMAC algorithms are refused. Use the registered algorithm.',
    },
    keySource: {
      name: 'The keys of the client are known (jwks, or jwks_uri)',
      remedy:
        'Register the keys as jwks, or make jwks_uri answer with a JWKS: over https, at a public address or a host of outbound.allow. If the result is open, this console does not fetch keys: use that of carnet serve or carnet console.',
    },
    key: {
      name: 'The key (kid) is published',
      remedy: 'The key was removed after a rotation, or belongs to another issuer. Get a new token.',
    },
    signature: { name: 'The signature', remedy: 'The token was changed, or signed with another key.' },
    issuer: {
      name: 'The issuer (iss)',
      remedy: 'iss is the issuer URL of this server exactly, or of a client assertion its client_id.',
    },
    times: {
      name: 'The times (exp, nbf, iat)',
      remedy: 'The token has expired, is not valid yet, or names no time. Compare the clocks, and get a new one.',
    },
    tokenAudience: {
      name: 'The audience (aud)',
      remedy: 'The token is for another receiver. Register the client, or use the token where it belongs.',
    },
    typeRules: {
      name: 'The claims of this type of token',
      remedy:
        'A logout token has the event and no nonce; an ID token has sub. A token of one type is refused as another.',
    },
    tokenClient: {
      name: 'The client of the token is registered',
      remedy: 'A deleted client has no tokens. Register it again, and get new tokens.',
    },
    active: {
      name: 'The token is active',
      remedy:
        'It was revoked with its grant, used already (refresh token), has expired, or its client was registered again. The events of the client show which.',
    },
    codeUse: {
      name: 'The code is redeemed once, in time, by its client',
      remedy:
        'A code is used once, expires soon, and is bound to client, redirect URI and PKCE verifier. The events of the type token.refused name the reason.',
    },
    method: {
      name: 'The client is registered for private_key_jwt',
      remedy: 'Set token_endpoint_auth_method to private_key_jwt, or authenticate as the client is registered.',
    },
    assertionId: { name: 'The assertion has an id (jti)', remedy: 'Send a new random jti with each assertion.' },
    assertionUse: {
      name: 'The assertion was not used before',
      remedy: 'Each assertion is accepted once. Sign a new one for each request.',
    },
  },
};

export type RefusalMessages = typeof en;
export type CheckId = keyof RefusalMessages['checks'];
