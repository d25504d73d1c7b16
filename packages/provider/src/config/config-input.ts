// Generated from the schemas by `npm run docs:write`.

/** The first argument of `createProvider`. */
export interface ConfigInput {
  /** Development mode: Carnet generates missing secrets and keys, and uses default URLs and a default store. Default: `false`. */ readonly dev?: boolean;
  /** The https URL under which browsers and clients reach the public listener. */ readonly issuer?: string;
  readonly admin?: {
    /** The bearer token for everything in the admin API. With it or `admin.tokens`, every request needs a token. */ readonly token?: string;
    /** Named bearer tokens with rights: give each program a token that allows only what the program needs. */ readonly tokens?: ({
      /** The name of the token in messages and audit records. `ADMIN_TOKEN_PROMETHEUS` sets the value of the token `prometheus`. */ readonly name: string;
      /** `metrics`: the metrics. `read`: every GET except for key sets, and introspection. `login`: the requests of login, consent, logout and device pages. `accounts`: sign-in, account pages, factors, sessions and consents. `users`: the management of users and groups, and the reset of factors. `all`: everything. */ readonly rights: ('metrics' | 'read' | 'login' | 'accounts' | 'users' | 'all')[];
      /** The token. While it is replaced, the new and the old one, separated by a comma. */ readonly value?: string;
      /** A file with the token, or with several, one on each line. A change takes effect within a second. */ readonly file?: string;
      /** Only for several issuers: the names of those at which the token is valid; `(first)` is the first one. Default: all. */ readonly issuers?: string[];
    })[];
    /** Values of the Host header that the admin listener accepts besides loopback. */ readonly allowedHosts?: string[];
  };
  readonly http?: {
    /** Addresses and networks (`10.0.0.0/8`) of trusted proxies. Carnet accepts client certificates and `X-Forwarded-For` from these only. */ readonly trustedProxies?: string[];
    /** The header in which a trusted proxy forwards the client certificate: in the form of `Client-Cert` (RFC 9440), of `X-Forwarded-Client-Cert` (Envoy) or of `$ssl_client_escaped_cert` (nginx). By default, Carnet uses the certificate of the TLS connection. */ readonly clientCertificateHeader?: string;
    /** The header in which a trusted proxy sends `SUCCESS` if it verified the certificate (`$ssl_client_verify` of nginx). The client authentication method `tls_client_auth` requires it. */ readonly clientVerifiedHeader?: string;
    /** Values of the Host header that the public listener accepts besides the issuer's. */ readonly allowedHosts?: string[];
  };
  readonly outbound?: {
    /** Hosts (`name`, `name:port`) and networks (`10.1.0.0/16`) that Carnet may call at private addresses or over http. Every other URL must be https at a public address. */ readonly allow?: string[];
    /** The maximum duration of a request to another server, in milliseconds, from the first packet to the last. Default: `5000`. */ readonly timeoutMs?: number;
    /** The maximum size of the response of another server, in bytes. Default: `65536`. */ readonly maxBytes?: number;
  };
  readonly storage?: {
    /** The URL of the store: `sqlite:carnet.db`, `postgres://user:password@host/database`, `redis://host`. */ readonly default?: string;
    /** The store of client, trusted_issuer, registration_token records. Default: `storage.default`. The store must be durable. */ readonly clients?: string;
    /** The store of key records. Default: `storage.default`. The store must be durable. */ readonly keys?: string;
    /** The store of grant, access_token, refresh_token, authorization_code records. Default: `storage.default`. The store must be durable. */ readonly tokens?: string;
    /** The store of client_credentials records. Default: `storage.default`. The store may lose records, but must never restore a removed one. */ readonly clientCredentials?: string;
    /** The store of session records. Default: `storage.default`. The store may lose records, but must never restore a removed one. */ readonly sessions?: string;
    /** The store of consent records. Default: `storage.default`. The store may lose records, but must never restore a removed one. */ readonly consents?: string;
    /** The store of replay records. Default: `storage.default`. The store must be durable. */ readonly replays?: string;
    /** The store of delivery records. Default: `storage.default`. The store must be durable. */ readonly deliveries?: string;
    /** The store of event records. Default: `storage.default`. The store must be durable. */ readonly events?: string;
    /** The store of flow, pushed_request, device, backchannel_request, counter records. Default: `storage.default`. The store may lose records. */ readonly flows?: string;
    /** Whether Carnet migrates the schema at startup. Default: true in dev mode. Otherwise run `carnet migrate up`; a durable Redis always needs that command. */ readonly migrate?: boolean;
    /** The interval at which each process removes expired records. With 0 no process does; run `carnet sweep`. */ readonly sweepSeconds?: number | string;
  };
  readonly secrets?: {
    /** Secrets that encrypt the flow state and the keys in the store, of at least 16 characters each (better 32). Carnet encrypts with the first and decrypts with all. */ readonly system?: string[];
  };
  readonly urls?: {
    /** The URL of the login page. It receives `login_challenge`. */ readonly login?: string;
    /** The URL of the page on which users create an account. It receives `login_challenge` for requests with `prompt=create` or `prompt=registration`. Default: the login page. */ readonly registration?: string;
    /** The URL of the consent page. It receives `consent_challenge`. */ readonly consent?: string;
    /** The URL of the page that confirms a logout. It receives `logout_challenge`. */ readonly logout?: string;
    /** The URL of the page for errors that must not be sent to the client. Default: a page of Carnet. */ readonly error?: string;
    readonly device?: {
      /** The URL of the page on which users enter the code of a device. It receives `device_challenge`. */ readonly verification?: string;
      /** The URL to which Carnet redirects a user who connected a device. Default: a page of Carnet. */ readonly success?: string;
    };
    /** The URL of the service that notifies users on their own devices (CIBA). It receives `backchannel_challenge` by POST. */ readonly backchannelAuthentication?: string;
    /** The URL to which Carnet redirects after a logout without `post_logout_redirect_uri`. Default: a page of Carnet. */ readonly postLogoutRedirect?: string;
  };
  readonly ttl?: {
    /** The time that a user has to sign in, and then to consent. */ readonly loginConsentRequest?: number | string;
    /** The lifetime of a remembered login, unless the login app sets another. */ readonly authenticationSession?: number | string;
    /** The lifetime of an access token. */ readonly accessToken?: number | string;
    /** The lifetime of a refresh token. -1: ten years from its last rotation, so that a token in use never expires. */ readonly refreshToken?: number | string;
    /** The lifetime of an ID token. */ readonly idToken?: number | string;
    /** The lifetime of an authorization code. */ readonly authCode?: number | string;
    /** The lifetime of the device code and the user code (RFC 8628). */ readonly deviceUserCode?: number | string;
  };
  readonly tokens?: {
    /** The default format of access tokens. A client can be registered for the other. Default: `opaque`. */ readonly accessTokenStrategy?: 'opaque' | 'jwt';
    /** The header `typ` of JWT access tokens. With `at+jwt` (RFC 9068), a resource server can tell access tokens from other JWTs. `JWT` is for resource servers that refuse `at+jwt`, such as Spring Boot. A client can be registered for the other. Default: `at+jwt`. */ readonly accessTokenType?: 'at+jwt' | 'JWT';
    /** Which claims of the consent app are added to ID tokens. `always`: all, like Hydra. `requested`: those that the `claims` parameter names, and all if no access token is issued (OpenID Connect Core, section 5.4). Userinfo always returns all of them. Default: `always`. */ readonly idTokenClaims?: 'always' | 'requested';
    /** The claim that holds the scopes in JWT access tokens: `list` for `scp`, an array; `string` for `scope`, a string (RFC 9068); or both. Default: `both`. */ readonly scopeClaim?: 'list' | 'string' | 'both';
    /** Claims in `ext` that are also copied to the top level of JWT access tokens. */ readonly allowedTopLevelClaims?: string[];
    /** Whether JWT access tokens have the claim `ext` in addition to the claims copied to the top level. Default: `true`. */ readonly mirrorTopLevelClaims?: boolean;
    /** Whether JWT access tokens omit the claim `nbf`. Default: `false`. */ readonly excludeNotBeforeClaim?: boolean;
    /** How requested scopes are matched with registered ones. With "wildcard", a registered `photos.*` also matches `photos.read`. Default: `exact`. */ readonly scopeStrategy?: 'exact' | 'wildcard';
    /** The grace period in which a used refresh token is accepted again and returns the same successor, unless the successor was used. Because clocks differ, Carnet accepts it for up to 30 seconds longer. 0: no grace period. */ readonly refreshGraceSeconds?: number | string;
    /** How often a refresh token may be used again in the grace period. One more use revokes the grant. Default: `1`. */ readonly refreshGraceReuseCount?: number;
  };
  readonly pkce?: {
    /** Which clients must use PKCE (RFC 7636) when they request a code: public clients, all, or none. Default: `public`. */ readonly required?: 'public' | 'always' | 'never';
  };
  readonly oidc?: {
    readonly subjectIdentifiers?: {
      /** The subject types that clients may have. A client that names none is public. */ readonly supportedTypes?: ('public' | 'pairwise')[];
      readonly pairwise?: {
        /** The salt from which pairwise subjects are derived. Changing the salt changes every pairwise subject. Never change it. */ readonly salt?: string;
      };
    };
    /** `fapi1-advanced`: Carnet accepts only requests that FAPI 1.0 Part 2 (Advanced) allows. For FAPI 2.0, set `features.fapi.enabled`. Default: `openid`. */ readonly profile?: 'openid' | 'fapi1-advanced';
    /** The members of the discovery document. `standard`: without `id_token_signed_response_alg` and `userinfo_signed_response_alg`, which are in no specification. `hydra`: only the members that Hydra has, for its Go SDK, which rejects unknown members. Default: `full`. */ readonly discovery?: 'full' | 'standard' | 'hydra';
    /** The members of userinfo. `standard`: `sub` and the claims that the consent app gives. `hydra`: also `aud`, `iss`, `iat`, `auth_time`, `acr` and `amr`, as Hydra sends them. Default: `standard`. */ readonly userinfo?: 'standard' | 'hydra';
    /** The authentication classes (`acr`) that your login app can reach, weakest first. The discovery document lists them in `acr_values_supported`. A remembered login that is below every class in `acr_values` is not sufficient: the user signs in again, and introspection shows `acr`, `amr` and `auth_time` (RFC 9470). Default: none, or with `accounts` those of the accounts. */ readonly supportedAcrValues?: string[];
    /** The claims that your consent app can add. The discovery document lists them in `claims_supported`. */ readonly supportedClaims?: string[];
    /** The scopes that the discovery document lists in `scopes_supported` besides `openid` and `offline_access`. */ readonly supportedScopes?: string[];
    readonly dynamicClientRegistration?: {
      /** Whether clients may register themselves at `/oauth2/register` (RFC 7591). Default: `false`. */ readonly enabled?: boolean;
      /** `open`: registration needs no token. `token`: registration requires an initial access token, which the admin API creates. Default: `open`. */ readonly access?: 'open' | 'token';
      /** The scopes of a client that requests no `scope`, limited to `allowedScopes`. */ readonly defaultScope?: string[];
      /** The audience (RFC 8707) of a client that names no `audience`. The client also gets the scopes that `resources` lists for it. */ readonly defaultAudience?: string[];
      /** The scopes that may be registered. Default: all. */ readonly allowedScopes?: string[];
      /** The grant types that may be registered. By default, only grant types that involve a user. */ readonly allowedGrantTypes?: string[];
      /** Hosts of redirect URIs: `app.example.com`, `*.example.com`, or the scheme of a native app (`com.example.app:`). Default: all. */ readonly allowedRedirectHosts?: string[];
      /** The maximum number of registrations without a token per minute, for all callers together. Default: `60`. */ readonly maxPerMinute?: number;
    };
  };
  readonly logout?: {
    /** The time that a logout page waits for the front-channel logout pages of clients before it continues. */ readonly frontchannelSeconds?: number | string;
    /** The delay before each further attempt to deliver a back-channel logout. After the last attempt Carnet gives up. */ readonly backchannelRetries?: (number | string)[];
    /** The interval at which each process takes over logout notifications that another process left undelivered. */ readonly backchannelPollSeconds?: number | string;
  };
  /** Resources (RFC 8707) with their own settings: `identifier`; the `scope`, `accessTokenStrategy` and `accessTokenTtl` of their access tokens; and the `clients` that may request them: `registered` (default) or `all`. */ readonly resources?: ({
    /** The URI of the resource, as sent in the parameter `resource`. */ readonly identifier: string;
    /** The scopes of the resource, space-delimited. Default: all. */ readonly scope?: string;
    /** The format of its access tokens. It overrides the registration of the client. */ readonly accessTokenStrategy?: 'opaque' | 'jwt';
    /** The lifetime of its access tokens. */ readonly accessTokenTtl?: number | string;
    /** Which clients may request the resource. `registered`: those whose `audience` lists it. `all`: every client, together with the scopes of the resource, whatever the client has registered. Default: `registered`. */ readonly clients?: 'registered' | 'all';
  })[];
  readonly hooks?: {
    readonly token?: {
      /** The URL of the hook that Carnet calls before tokens are issued at the token endpoint, for every grant type. It receives the request and may change the claims. */ readonly url?: string;
      readonly auth?: {
        /** Whether the API key is sent in a header or in a cookie. Default: `header`. */ readonly in?: 'header' | 'cookie';
        /** The name of the header or cookie. Default: `Authorization`. */ readonly name?: string;
        /** The API key that Carnet sends to the hook. By default it sends none. */ readonly value?: string;
      };
    };
    readonly refreshToken?: {
      /** The URL of the hook that Carnet calls before tokens are refreshed. It receives the request and may change the claims. */ readonly url?: string;
      readonly auth?: {
        /** Whether the API key is sent in a header or in a cookie. Default: `header`. */ readonly in?: 'header' | 'cookie';
        /** The name of the header or cookie. Default: `Authorization`. */ readonly name?: string;
        /** The API key that Carnet sends to the hook. By default it sends none. */ readonly value?: string;
      };
    };
    /** The maximum duration of a call to a hook, in milliseconds. Default: `2000`. */ readonly timeoutMs?: number;
  };
  readonly features?: {
    readonly claimsParameter?: {
      /** The `claims` request parameter (OpenID Connect Core, section 5.5). Default: `true`. */ readonly enabled?: boolean;
    };
    readonly ciba?: {
      /** Backchannel authentication (OpenID CIBA Core) in poll and ping mode: the user decides on another device. Default: `false`. */ readonly enabled?: boolean;
      /** The minimum interval between two polls of a client. */ readonly pollingIntervalSeconds?: number | string;
      /** The time that the user has to answer. A client may request less. */ readonly requestSeconds?: number | string;
    };
    readonly clientIdMetadataDocument?: {
      /** Clients whose `client_id` is the https URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). Carnet fetches the document at the first request of the client. Default: `false`. */ readonly enabled?: boolean;
      /** The hosts that may publish such documents: `app.example.com`, `*.example.com`. Default: all. */ readonly allowedHosts?: string[];
      /** The maximum number of new documents that a process fetches per minute, for all clients together. One host of documents gets a third of them, and callers of one network (/24, or /48 with IPv6) a sixth; at one host, they get a twelfth. The same limits apply again to the refresh of cached documents. Default: `60`. */ readonly maxFetchesPerMinute?: number;
      /** The maximum number of documents that a process caches. Default: `1000`. */ readonly maxDocuments?: number;
      /** The minimum time for which a document is cached, regardless of its HTTP headers. */ readonly cacheMin?: number | string;
      /** The maximum time for which a document is cached, regardless of its HTTP headers. While its host is unreachable, a cached document is used for up to this time. */ readonly cacheMax?: number | string;
    };
    readonly device?: {
      /** The device authorization grant (RFC 8628): the user signs in on another device with a user code. Default: `true`. */ readonly enabled?: boolean;
      /** The minimum interval between two polls of a device. */ readonly pollingIntervalSeconds?: number | string;
      readonly userCode?: {
        /** The number of characters of a user code. Default: `8`. */ readonly length?: number;
        /** The characters of user codes. Default: `BCDFGHJKLMNPQRSTVWXZ`. */ readonly characters?: string;
      };
      /** The maximum number of user codes that may be entered per minute, valid or not, for all users together. It limits guessing. Default: `600`. */ readonly userCodesPerMinute?: number;
    };
    readonly dpop?: {
      /** Tokens bound to a key of the client (DPoP, RFC 9449). Default: `true`. */ readonly enabled?: boolean;
      /** Proofs must contain a nonce that Carnet issued (RFC 9449, section 8). Default: `false`. */ readonly requireNonce?: boolean;
    };
    readonly encryption?: {
      /** ID tokens, userinfo and JWT responses encrypted to a key of the client. Default: `false`. */ readonly enabled?: boolean;
    };
    readonly fapi?: {
      /** Carnet accepts only requests that the FAPI 2.0 Security Profile allows. Default: `false`. */ readonly enabled?: boolean;
    };
    readonly hybrid?: {
      /** The response types `code id_token`, `code token` and `code id_token token`, where registered. Default: `false`. */ readonly enabled?: boolean;
    };
    readonly implicit?: {
      /** The response types `id_token` and `id_token token`, where registered. Default: `false`. */ readonly enabled?: boolean;
    };
    readonly par?: {
      /** Pushed authorization requests (PAR, RFC 9126). Default: `true`. */ readonly enabled?: boolean;
      /** Every authorization request must be pushed. Default: `false`. */ readonly required?: boolean;
    };
    readonly jar?: {
      /** Authorization requests as signed JWTs (JAR, RFC 9101). Default: `true`. */ readonly enabled?: boolean;
      /** Every authorization request must be a signed JWT. Default: `false`. */ readonly required?: boolean;
      /** Request objects may be fetched from a `request_uri` that the client has registered. Default: `false`. */ readonly byReference?: boolean;
    };
    readonly mtls?: {
      /** Client authentication with certificates, and tokens bound to a certificate (mTLS, RFC 8705). Default: `false`. */ readonly enabled?: boolean;
      /** The base URL of the endpoints that request a client certificate (`mtls_endpoint_aliases`). Default: the issuer. */ readonly baseUrl?: string;
    };
    readonly rar?: {
      /** Rich authorization requests (RAR, RFC 9396): the parameter `authorization_details`. Default: `false`. */ readonly enabled?: boolean;
      /** The supported types of `authorization_details`: by `type`, their members and `actions`. */ readonly types?: Readonly<Record<string, {
        readonly required?: string[];
        readonly optional?: string[];
        readonly actions?: string[];
      }>>;
    };
    readonly jarm?: {
      /** Authorization responses as signed JWTs (JARM). Default: `true`. */ readonly enabled?: boolean;
    };
    readonly jwtBearer?: {
      /** The JWT bearer grant (RFC 7523): access tokens for assertions of trusted issuers. Default: `true`. */ readonly enabled?: boolean;
      /** The maximum lifetime of an assertion, from `iat` to `exp`. */ readonly maxAssertionSeconds?: number | string;
      /** Assertions may omit `iat`. Default: `false`. */ readonly iatOptional?: boolean;
      /** Assertions may omit `jti`. An assertion without `jti` can be used repeatedly until it expires. Default: `false`. */ readonly jtiOptional?: boolean;
    };
    readonly resourceIndicators?: {
      /** Resource indicators (RFC 8707): access tokens for a resource that the client requests. Default: `true`. */ readonly enabled?: boolean;
    };
    readonly tokenExchange?: {
      /** Token exchange (RFC 8693). Default: `false`. */ readonly enabled?: boolean;
    };
  };
  readonly keys?: {
    /** The source of the signing keys. `store`: Carnet generates, publishes, uses and retires them, encrypted with `secrets.system`. `external`: a key management service or a hardware security module holds them and signs. `file`: you manage them; implied by `keys.file` and `keys.jwks`. */ readonly source?: 'file' | 'store' | 'external';
    /** The URL of the keys of a service, or a list: `awskms:alias/carnet`, `gcpkms:projects/...`, `gcpiam:name@project.iam.gserviceaccount.com`, `vault:transit/carnet`, `pkcs11:token=carnet;object=signing`. For `keys.source: external`. */ readonly signer?: string | string[];
    /** How long a signature of a service may take, with its repetition, in milliseconds. The first attempt ends after half of it. Default: `2000`. */ readonly signerTimeoutMs?: number;
    /** How many signatures of one service each process may have under way. Four times as many requests may wait; others get 503 at once. Default: `128`. */ readonly signerConcurrency?: number;
    /** The URL of a key of a service that encrypts, as in `keys.signer`. It encrypts the key with which Carnet encrypts the keys in the store. */ readonly sealedBy?: string;
    /** A JWKS file with the private signing keys, generated by `carnet keys generate`. */ readonly file?: string;
    /** The private signing keys as a JWKS, instead of a file. */ readonly jwks?: {
      readonly keys: ({
      } & Readonly<Record<string, unknown>>)[];
    } & Readonly<Record<string, unknown>>;
    /** The default algorithm of ID tokens. A client can be registered for another. Default: `RS256`. */ readonly idTokenAlg?: 'RS256' | 'ES256' | 'EdDSA';
    /** The algorithms that Carnet signs with. The store has a key for each. Keys of a service for other algorithms are not used. */ readonly algorithms?: ('RS256' | 'ES256' | 'EdDSA')[];
    /** How long a new key is published before it signs. For `keys.source: store` and `external`. */ readonly announced?: number | string;
    /** How long a key signs. For `keys.source: store`. */ readonly active?: number | string;
    /** How long a key is still published after it stopped signing, so that its signatures verify. For `keys.source: store` and `external`. */ readonly retired?: number | string;
    /** The interval at which each process reads the keys from the store and from the services. */ readonly pollSeconds?: number | string;
  };
  /** Clients that are part of the configuration: they are in no store, and the admin API cannot change them. See "Clients" below. */ readonly clients?: ({
    /** The id of the client. Its tokens and consents belong to this id, so never give it to another client. */ readonly client_id: string;
    /** The secret, of at least 16 characters. Prefer the environment variable `CLIENT_<ID>_SECRET`. */ readonly client_secret?: string;
    /** In place of `client_secret`: its bcrypt or PBKDF2 hash, or a list with those of previous secrets, too. */ readonly client_secret_hash?: string | string[];
    /** The name that the consent page shows. */ readonly client_name?: string;
    /** The URIs to which browsers return with a code. A request must contain one of them, character by character. */ readonly redirect_uris?: string[];
    /** The grant types that the client may use. Default: authorization_code. */ readonly grant_types?: string[];
    /** The response types that the client may use. Default: code. */ readonly response_types?: string[];
    /** The scopes that the client may request, space-delimited. Default: offline_access offline openid. */ readonly scope?: string;
    /** The resource servers for which the client may request access tokens. */ readonly audience?: string[];
    /** A text for your own use: lists of clients can be filtered by it. */ readonly owner?: string;
    /** The URL of the privacy policy, for the consent page. */ readonly policy_uri?: string;
    /** The origins of web pages that may call the token and userinfo endpoints with `fetch`. */ readonly allowed_cors_origins?: string[];
    /** The URL of the terms of service, for the consent page. */ readonly tos_uri?: string;
    /** The URL of the home page of the client. */ readonly client_uri?: string;
    /** The URL of the logo of the client. */ readonly logo_uri?: string;
    /** Email addresses of those who are responsible for the client. */ readonly contacts?: string[];
    /** Whether the client gets the same `sub` as other clients (public), or one of its sector (pairwise). */ readonly subject_type?: 'public' | 'pairwise';
    /** The public keys of the client, as a JWKS. */ readonly jwks?: {
      readonly keys: ({
        readonly kty: string;
      } & Readonly<Record<string, unknown>>)[];
    };
    /** How the client authenticates. If omitted, the client may send its secret in the header or in the body, and responses show client_secret_basic. */ readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'tls_client_auth' | 'self_signed_tls_client_auth' | 'none';
    /** The algorithm of signed userinfo responses. none: JSON. */ readonly userinfo_signed_response_alg?: 'none' | 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519';
    /** Any JSON object for your own use. */ readonly metadata?: Readonly<Record<string, unknown>>;
    /** Whether the consent app may accept without asking the user. Carnet passes it on. */ readonly skip_consent?: boolean;
    /** Whether the logout page may accept a logout of this client without asking the user. Carnet passes it on. */ readonly skip_logout_consent?: boolean;
    /** The lifetime of access tokens from the authorization code grant, such as `1h30m`. Default: that of the configuration. */ readonly authorization_code_grant_access_token_lifespan?: string;
    /** The lifetime of ID tokens from the authorization code grant, such as `1h30m`. Default: that of the configuration. */ readonly authorization_code_grant_id_token_lifespan?: string;
    /** The lifetime of refresh tokens from the authorization code grant, such as `1h30m`. Default: that of the configuration. */ readonly authorization_code_grant_refresh_token_lifespan?: string;
    /** The lifetime of access tokens from the client credentials grant, such as `1h30m`. Default: that of the configuration. */ readonly client_credentials_grant_access_token_lifespan?: string;
    /** The lifetime of access tokens from the implicit and hybrid flows, such as `1h30m`. Default: that of the configuration. */ readonly implicit_grant_access_token_lifespan?: string;
    /** The lifetime of ID tokens from the implicit and hybrid flows, such as `1h30m`. Default: that of the configuration. */ readonly implicit_grant_id_token_lifespan?: string;
    /** The lifetime of access tokens from the JWT bearer grant, such as `1h30m`. Default: that of the configuration. */ readonly jwt_bearer_grant_access_token_lifespan?: string;
    /** The lifetime of ID tokens from the refresh token grant, such as `1h30m`. Default: that of the configuration. */ readonly refresh_token_grant_id_token_lifespan?: string;
    /** The lifetime of access tokens from the refresh token grant, such as `1h30m`. Default: that of the configuration. */ readonly refresh_token_grant_access_token_lifespan?: string;
    /** The lifetime of refresh tokens from the refresh token grant, such as `1h30m`. Default: that of the configuration. */ readonly refresh_token_grant_refresh_token_lifespan?: string;
    /** The lifetime of ID tokens from the device grant, such as `1h30m`. Default: that of the configuration. */ readonly device_authorization_grant_id_token_lifespan?: string;
    /** The lifetime of access tokens from the device grant, such as `1h30m`. Default: that of the configuration. */ readonly device_authorization_grant_access_token_lifespan?: string;
    /** The lifetime of refresh tokens from the device grant, such as `1h30m`. Default: that of the configuration. */ readonly device_authorization_grant_refresh_token_lifespan?: string;
    /** The format of access tokens. Default: `tokens.accessTokenStrategy`. */ readonly access_token_strategy?: 'opaque' | 'jwt';
    /** The header `typ` of JWT access tokens. Default: `tokens.accessTokenType`. */ readonly access_token_type?: 'at+jwt' | 'JWT';
    /** The URL of the document that lists the redirect URIs of all clients with the same pairwise `sub`. */ readonly sector_identifier_uri?: string;
    /** The URL of the public keys of the client. */ readonly jwks_uri?: string;
    /** The URLs of request objects (JAR) that requests may name. */ readonly request_uris?: string[];
    /** The algorithm by which the client signs request objects (JAR). */ readonly request_object_signing_alg?: 'none' | 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519';
    /** The algorithm of client assertions (private_key_jwt). */ readonly token_endpoint_auth_signing_alg?: 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519';
    /** The URL that the browser loads in a frame when the session ends. */ readonly frontchannel_logout_uri?: string;
    /** Whether front-channel logouts contain `iss` and `sid`. */ readonly frontchannel_logout_session_required?: boolean;
    /** The URIs to which browsers may return after a logout. */ readonly post_logout_redirect_uris?: string[];
    /** The URL to which Carnet sends a logout token when the session ends. */ readonly backchannel_logout_uri?: string;
    /** Whether logout tokens contain `sid`. */ readonly backchannel_logout_session_required?: boolean;
    /** Whether the client is a web app or an app on the device of the user. Default: from the redirect URIs. */ readonly application_type?: 'web' | 'native';
    /** The algorithm of ID tokens. Default: `keys.idTokenAlg`. */ readonly id_token_signed_response_alg?: 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519';
    /** The key management algorithm of encrypted ID tokens. It requires `features.encryption`. */ readonly id_token_encrypted_response_alg?: 'RSA-OAEP' | 'RSA-OAEP-256' | 'RSA-OAEP-384' | 'RSA-OAEP-512' | 'ECDH-ES' | 'ECDH-ES+A128KW' | 'ECDH-ES+A192KW' | 'ECDH-ES+A256KW';
    /** The content encryption algorithm of encrypted ID tokens. Default: A128CBC-HS256. */ readonly id_token_encrypted_response_enc?: string;
    /** The key management algorithm of encrypted userinfo responses. It requires `features.encryption`. */ readonly userinfo_encrypted_response_alg?: 'RSA-OAEP' | 'RSA-OAEP-256' | 'RSA-OAEP-384' | 'RSA-OAEP-512' | 'ECDH-ES' | 'ECDH-ES+A128KW' | 'ECDH-ES+A192KW' | 'ECDH-ES+A256KW';
    /** The content encryption algorithm of encrypted userinfo responses. Default: A128CBC-HS256. */ readonly userinfo_encrypted_response_enc?: string;
    /** The key management algorithm of encrypted request objects of the client. It requires `features.encryption`. */ readonly request_object_encryption_alg?: 'RSA-OAEP' | 'RSA-OAEP-256' | 'RSA-OAEP-384' | 'RSA-OAEP-512' | 'ECDH-ES' | 'ECDH-ES+A128KW' | 'ECDH-ES+A192KW' | 'ECDH-ES+A256KW';
    /** The content encryption algorithm of encrypted request objects of the client. Default: A128CBC-HS256. */ readonly request_object_encryption_enc?: string;
    /** The algorithm of signed authorization responses (JARM). */ readonly authorization_signed_response_alg?: 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519';
    /** The key management algorithm of encrypted authorization responses (JARM). It requires `features.encryption`. */ readonly authorization_encrypted_response_alg?: 'RSA-OAEP' | 'RSA-OAEP-256' | 'RSA-OAEP-384' | 'RSA-OAEP-512' | 'ECDH-ES' | 'ECDH-ES+A128KW' | 'ECDH-ES+A192KW' | 'ECDH-ES+A256KW';
    /** The content encryption algorithm of encrypted authorization responses (JARM). Default: A128CBC-HS256. */ readonly authorization_encrypted_response_enc?: string;
    /** The algorithm of signed introspection responses (RFC 9701). */ readonly introspection_signed_response_alg?: 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519';
    /** The key management algorithm of encrypted introspection responses. It requires `features.encryption`. */ readonly introspection_encrypted_response_alg?: 'RSA-OAEP' | 'RSA-OAEP-256' | 'RSA-OAEP-384' | 'RSA-OAEP-512' | 'ECDH-ES' | 'ECDH-ES+A128KW' | 'ECDH-ES+A192KW' | 'ECDH-ES+A256KW';
    /** The content encryption algorithm of encrypted introspection responses. Default: A128CBC-HS256. */ readonly introspection_encrypted_response_enc?: string;
    /** The maximum age of a login in seconds, if a request has no `max_age`. */ readonly default_max_age?: number;
    /** The requested `acr` values, if a request has none. */ readonly default_acr_values?: string[];
    /** Whether ID tokens contain `auth_time`. */ readonly require_auth_time?: boolean;
    /** The https URL at which another party can start a login. */ readonly initiate_login_uri?: string;
    /** Whether the client must push its authorization requests (RFC 9126). */ readonly require_pushed_authorization_requests?: boolean;
    /** Whether the client must send signed request objects (RFC 9101). */ readonly require_signed_request_object?: boolean;
    /** Whether the client must bind its access tokens by DPoP (RFC 9449). */ readonly dpop_bound_access_tokens?: boolean;
    /** Whether access tokens are bound to the client certificate (RFC 8705). */ readonly tls_client_certificate_bound_access_tokens?: boolean;
    /** Whether the client uses the endpoints for client certificates (RFC 8705, section 5). */ readonly use_mtls_endpoint_aliases?: boolean;
    /** The subject of the client certificate (RFC 8705, section 2.1.2). */ readonly tls_client_auth_subject_dn?: string;
    /** A DNS name in the client certificate. */ readonly tls_client_auth_san_dns?: string;
    /** A URI in the client certificate. */ readonly tls_client_auth_san_uri?: string;
    /** An IP address in the client certificate. */ readonly tls_client_auth_san_ip?: string;
    /** An email address in the client certificate. */ readonly tls_client_auth_san_email?: string;
    /** The types of authorization details that the client may request (RFC 9396). */ readonly authorization_details_types?: string[];
    /** How the client gets the tokens of a CIBA request: by polling, or after a notification. */ readonly backchannel_token_delivery_mode?: 'poll' | 'ping';
    /** The URL to which Carnet sends CIBA notifications. */ readonly backchannel_client_notification_endpoint?: string;
    /** The algorithm of signed CIBA requests. */ readonly backchannel_authentication_request_signing_alg?: 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519';
    /** Whether CIBA requests may contain a user code. */ readonly backchannel_user_code_parameter?: boolean;
    /** The id of the software, the same for all its registrations. */ readonly software_id?: string;
    /** The version of the software. */ readonly software_version?: string;
    /** Increase it by one to invalidate all access tokens of the client. Default: 0. */ readonly token_epoch?: number;
  })[];
  readonly clientSecrets?: {
    /** The bcrypt cost of client secrets. Each increment doubles the time of a comparison. Default: `10`. */ readonly bcryptCost?: number;
    /** The maximum number of client secrets that wait for verification. Further requests are refused with 503. Default: `64`. */ readonly maxPendingVerifications?: number;
  };
  readonly clientCache?: {
    /** The number of clients that each process caches. Default: `10000`. */ readonly entries?: number;
    /** How long a process may use a cached client after another process changed it. */ readonly seconds?: number | string;
  };
  readonly accounts?: {
    /** The accounts database: `sqlite:accounts.db`, `postgres://user:password@host/database`. It holds the users of the directory of the kind `sql`, all second factors and the counts of failed attempts. */ readonly database?: string;
    /** Whether Carnet migrates an accounts database on Postgres at startup. Default: true in dev mode. Otherwise run `carnet migrate up`. SQLite is always migrated. */ readonly migrate?: boolean;
    /** The directories in which users are looked up, in this order. See "Directories" below. */ readonly directories?: ({
      /** An LDAP server or Active Directory. */ readonly kind: 'ldap';
      /** The name of the directory. By default each subject begins with the name, so never change it. */ readonly name: string;
      /** The subject (`sub`) of a user is this prefix and the user's id in the directory. Default: the name and a dot. Never change it. */ readonly subjectPrefix?: string;
      /** The realms of the directory. A login `user@realm` or `realm\user` is looked up only in the directory of its realm. Directories without realms are asked for all other logins. */ readonly realms?: string[];
      /** Whether a directory with realms is also asked for logins that name no realm. Default: `false`. */ readonly isDefault?: boolean;
      /** Whether the directory gets the login with its realm. By default it gets the name without the realm. Default: `false`. */ readonly keepsRealm?: boolean;
      /** Whether Carnet skips this directory during an outage and asks the next one. By default an outage ends the sign-in with 503. Default: `false`. */ readonly optional?: boolean;
      /** How long a user of an `ldap` or `http` directory stays in the user cache. Passwords are never cached. Default: 300 seconds. 0: no cache. */ readonly cacheSeconds?: number | string;
      /** The URLs of the servers (`ldaps://host:port`). Carnet uses the first one that answers. */ readonly urls: string[];
      /** Whether connections to `ldap://` URLs are encrypted by StartTLS. Carnet never falls back to clear text. Default: `true`. */ readonly startTls?: boolean;
      /** A PEM file with the certificates of the authorities that sign the certificates of the servers. */ readonly caFile?: string;
      /** The DN of the account with which Carnet searches. Default: an anonymous search. */ readonly bindDn?: string;
      /** The password of `bindDn`. Prefer the environment variable `ACCOUNTS_DIRECTORY_<NAME>_BIND_PASSWORD`. */ readonly bindPassword?: string;
      /** The DN below which users are found. */ readonly base: string;
      /** The directory product, which decides the default attributes and the default filter. Default: `openldap`. */ readonly preset?: 'openldap' | 'active-directory';
      /** The attributes that a login name may match. Default: those of the preset. */ readonly loginAttributes?: string[];
      /** An LDAP filter (RFC 4515) that users must match as well. With `{login}` in an equality, such as `(mail={login})`, it replaces `loginAttributes`. Default: that of the preset. */ readonly filter?: string;
      /** The attribute with the permanent id of a user. Default: `entryUUID`, or `objectGUID` in Active Directory. */ readonly idAttribute?: string;
      /** The attribute for each claim. These are added to the claims of the preset, and override them. */ readonly claims?: Readonly<Record<string, string>>;
      /** The source of the claim `groups`: the attribute `memberOf` of the user, or a search for groups with the user as a member. Default: `none`. */ readonly groups?: 'none' | 'memberOf' | 'search';
      /** The DN below which groups are found. With `memberOf`, groups elsewhere are left out. Default: `base`. */ readonly groupBase?: string;
      /** The text of a group in the claim `groups`: its name, or its whole DN. Default: `name`. */ readonly groupNames?: 'name' | 'dn';
      /** Whether the groups that contain the groups of the user are included. Active Directory needs one search for this, other servers one for each level. Default: `false`. */ readonly nestedGroups?: boolean;
      /** The maximum number of connections for searches, and the same number again for password checks, in each process. Default: `10`. */ readonly poolSize?: number;
      /** The maximum duration of a request to the directory, in milliseconds. Default: `5000`. */ readonly timeoutMs?: number;
    } | {
      /** The users of the accounts database (`accounts.database`). */ readonly kind: 'sql';
      /** The name of the directory. By default each subject begins with the name, so never change it. */ readonly name: string;
      /** The subject (`sub`) of a user is this prefix and the user's id in the directory. Default: the name and a dot. Never change it. */ readonly subjectPrefix?: string;
      /** The realms of the directory. A login `user@realm` or `realm\user` is looked up only in the directory of its realm. Directories without realms are asked for all other logins. */ readonly realms?: string[];
      /** Whether a directory with realms is also asked for logins that name no realm. Default: `false`. */ readonly isDefault?: boolean;
      /** Whether the directory gets the login with its realm. By default it gets the name without the realm. Default: `false`. */ readonly keepsRealm?: boolean;
      /** Whether Carnet skips this directory during an outage and asks the next one. By default an outage ends the sign-in with 503. Default: `false`. */ readonly optional?: boolean;
      /** How long a user of an `ldap` or `http` directory stays in the user cache. Passwords are never cached. Default: 300 seconds. 0: no cache. */ readonly cacheSeconds?: number | string;
    } | {
      /** An HTTP service that checks passwords. */ readonly kind: 'http';
      /** The name of the directory. By default each subject begins with the name, so never change it. */ readonly name: string;
      /** The subject (`sub`) of a user is this prefix and the user's id in the directory. Default: the name and a dot. Never change it. */ readonly subjectPrefix?: string;
      /** The realms of the directory. A login `user@realm` or `realm\user` is looked up only in the directory of its realm. Directories without realms are asked for all other logins. */ readonly realms?: string[];
      /** Whether a directory with realms is also asked for logins that name no realm. Default: `false`. */ readonly isDefault?: boolean;
      /** Whether the directory gets the login with its realm. By default it gets the name without the realm. Default: `false`. */ readonly keepsRealm?: boolean;
      /** Whether Carnet skips this directory during an outage and asks the next one. By default an outage ends the sign-in with 503. Default: `false`. */ readonly optional?: boolean;
      /** How long a user of an `ldap` or `http` directory stays in the user cache. Passwords are never cached. Default: 300 seconds. 0: no cache. */ readonly cacheSeconds?: number | string;
      /** The URL of the service. It must be https, unless it is on this machine. */ readonly url: string;
      /** The bearer token that Carnet sends to the service. Prefer the environment variable `ACCOUNTS_DIRECTORY_<NAME>_TOKEN`. */ readonly token?: string;
      /** The maximum duration of a request to the directory, in milliseconds. Default: `5000`. */ readonly timeoutMs?: number;
    } | {
      /** A JSON file of users with password hashes. */ readonly kind: 'file';
      /** The name of the directory. By default each subject begins with the name, so never change it. */ readonly name: string;
      /** The subject (`sub`) of a user is this prefix and the user's id in the directory. Default: the name and a dot. Never change it. */ readonly subjectPrefix?: string;
      /** The realms of the directory. A login `user@realm` or `realm\user` is looked up only in the directory of its realm. Directories without realms are asked for all other logins. */ readonly realms?: string[];
      /** Whether a directory with realms is also asked for logins that name no realm. Default: `false`. */ readonly isDefault?: boolean;
      /** Whether the directory gets the login with its realm. By default it gets the name without the realm. Default: `false`. */ readonly keepsRealm?: boolean;
      /** Whether Carnet skips this directory during an outage and asks the next one. By default an outage ends the sign-in with 503. Default: `false`. */ readonly optional?: boolean;
      /** How long a user of an `ldap` or `http` directory stays in the user cache. Passwords are never cached. Default: 300 seconds. 0: no cache. */ readonly cacheSeconds?: number | string;
      /** The path of the file. */ readonly path: string;
    })[];
    /** Other providers with which users can sign in. See "Members of providers" below. */ readonly providers?: ({
      /** An OpenID Provider, or one of the presets. */ readonly kind: 'oidc';
      /** The name of the provider. Identities are stored with it, and its callback is `<login app>/login/provider/<name>`, so never change it. */ readonly name: string;
      /** The text of its button. Default: the name of the preset, or `name`. */ readonly label?: string;
      /** Domains of email addresses. A user who enters a login name of such a domain is sent to this provider at once. */ readonly domains?: string[];
      /** Domains whose addresses this provider gives out. Only an address of such a domain, which the provider calls verified, links an identity to an existing user without another proof. */ readonly isAuthorityFor?: string[];
      /** The ids of clients whose users sign in with this provider only. */ readonly clients?: string[];
      /** The first sign-in of an identity without a user. `automatic`: Carnet creates the user. `confirm`: after the user has confirmed it. `off`: it is refused. Default: `confirm`. */ readonly signUp?: 'automatic' | 'confirm' | 'off';
      /** The second factors. `own`: as after a password (`accounts.secondFactors`). `provider`: two factors at the provider (`acr`, `amr`) are accepted instead of our own. Default: `own`. */ readonly factors?: 'own' | 'provider';
      /** The issuer that the provider had before, as the message at the start names it, if the provider has moved and its subjects have stayed the same. Without it, Carnet does not start with another issuer for a provider whose identities it has stored. */ readonly formerIssuer?: string;
      /** The product. It sets the issuer, the scopes, the claims, and what is special about it. */ readonly preset?: 'google' | 'microsoft' | 'apple' | 'github' | 'gitlab' | 'facebook' | 'linkedin' | 'discord';
      /** The issuer of the provider. Default: that of the preset. It must be https, unless it is on this machine. */ readonly issuer?: string;
      /** The client id that the provider has given to Carnet. */ readonly clientId: string;
      /** The client secret. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_CLIENT_SECRET`. */ readonly clientSecret?: string;
      /** How Carnet sends `clientSecret`. Default: `client_secret_basic`, or `client_secret_post` if the metadata of the provider lists no other one. */ readonly clientSecretMethod?: 'client_secret_basic' | 'client_secret_post';
      /** A private key in PEM (PKCS #8), for `private_key_jwt` instead of a secret. Apple: the key that signs client secrets. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY_FILE`. */ readonly privateKey?: string;
      /** The `kid` of `privateKey`. */ readonly keyId?: string;
      /** The id of the team at Apple, which signs client secrets (preset `apple`). */ readonly teamId?: string;
      /** The scopes of the request. Default: those of the preset, or `openid profile email`. */ readonly scopes?: string[];
      /** The claim of the provider for each claim. These are added to the claims of the preset, and override them. */ readonly claims?: Readonly<Record<string, string>>;
      /** The tenants whose users may sign in: ids of tenants (`microsoft`, required), or domains of organizations (`google`). `*`: all. */ readonly tenants?: string[];
      /** Whether a sign-out at Carnet continues at the provider (OpenID Connect RP-Initiated Logout 1.0), if the user has signed in there. Default: false. */ readonly logout?: boolean;
      /** Whether Carnet asks the userinfo endpoint for claims that the ID token does not have. Default: `true`. */ readonly userinfo?: boolean;
    } | {
      /** A SAML 2.0 provider. */ readonly kind: 'saml';
      /** The name of the provider. Identities are stored with it, and its callback is `<login app>/login/provider/<name>`, so never change it. */ readonly name: string;
      /** The text of its button. Default: the name of the preset, or `name`. */ readonly label?: string;
      /** Domains of email addresses. A user who enters a login name of such a domain is sent to this provider at once. */ readonly domains?: string[];
      /** Domains whose addresses this provider gives out. Only an address of such a domain, which the provider calls verified, links an identity to an existing user without another proof. */ readonly isAuthorityFor?: string[];
      /** The ids of clients whose users sign in with this provider only. */ readonly clients?: string[];
      /** The first sign-in of an identity without a user. `automatic`: Carnet creates the user. `confirm`: after the user has confirmed it. `off`: it is refused. Default: `confirm`. */ readonly signUp?: 'automatic' | 'confirm' | 'off';
      /** The second factors. `own`: as after a password (`accounts.secondFactors`). `provider`: two factors at the provider (`acr`, `amr`) are accepted instead of our own. Default: `own`. */ readonly factors?: 'own' | 'provider';
      /** The issuer that the provider had before, as the message at the start names it, if the provider has moved and its subjects have stayed the same. Without it, Carnet does not start with another issuer for a provider whose identities it has stored. */ readonly formerIssuer?: string;
      /** The URL of the metadata of the provider, which is read again every hour. It must be https, unless it is on this machine. */ readonly metadataUrl?: string;
      /** A file with the metadata of the provider, instead of `metadataUrl`. It needs `issuer`. */ readonly metadataFile?: string;
      /** The entity ID of the provider. Default: that of its metadata. Required if the metadata describes several. */ readonly issuer?: string;
      /** The URL of the single sign-on service (HTTP-Redirect), with `issuer` and `certificates` instead of metadata. */ readonly ssoUrl?: string;
      /** The certificates with which the provider signs, with `ssoUrl`. */ readonly certificates?: string[];
      /** The entity ID of Carnet at this provider. Default: the URL of its metadata, `<login app>/login/provider/<name>/metadata`. */ readonly entityId?: string;
      /** A private RSA key in PEM (PKCS #8) that signs requests. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY_FILE`. */ readonly privateKey?: string;
      /** The certificate of `privateKey` in PEM, for the metadata. */ readonly certificate?: string;
      /** A private RSA key in PEM (PKCS #8) for encrypted assertions. Prefer the environment variable `ACCOUNTS_PROVIDER_<NAME>_DECRYPTION_KEY_FILE`. */ readonly decryptionKey?: string;
      /** The certificate of `decryptionKey` in PEM, for the metadata. */ readonly decryptionCertificate?: string;
      /** The part of a response that the provider must have signed. Default: `assertion`. */ readonly signed?: 'assertion' | 'response' | 'both';
      /** The format of the NameID. With another one than `persistent`, the provider may give the NameID of a user to another user later. Default: `persistent`. */ readonly nameIdFormat?: 'persistent' | 'emailAddress' | 'unspecified';
      /** The attribute that identifies the user for ever, instead of the NameID. */ readonly subjectAttribute?: string;
      /** The attribute of the provider for each claim. These are added to the usual attributes, and override them. */ readonly claims?: Readonly<Record<string, string>>;
      /** The authentication context of the provider (`AuthnContextClassRef`) for each class (`acr`), such as `urn:carnet:2fa`. */ readonly contexts?: Readonly<Record<string, string>>;
    })[];
    /** The organizations to which users belong, such as business customers. See "Members of organizations" below. */ readonly organizations?: ({
      /** The id of the organization: the value of the claim and of the parameter `organization`. Never change it. */ readonly name: string;
      /** The name that pages show. */ readonly displayName: string;
      /** Domains of email addresses. A login name of such a domain leads to the sign-in of this organization, and its password is not sent to directories of other organizations. */ readonly domains?: string[];
      /** The names of directories, whose users are all members. With the parameter `organization`, only they are asked for passwords. If `members.groups` lists groups, the directories that no organization lists are asked, too. */ readonly directories?: string[];
      /** The names of providers. A user who has signed in with one of them is a member; for a sign-in in another way, the identity there is not enough. */ readonly providers?: string[];
      readonly members?: {
        /** The names of groups whose users are members: groups of the accounts database, and the claim `groups` of directories that no organization lists. */ readonly groups?: string[];
      };
      /** The ids of clients that accept members only. A client that several organizations list accepts the members of each. */ readonly clients?: string[];
      /** The policy of second factors. The strictest of the policies of the organization, the client and the realm applies. Default: none of its own. */ readonly secondFactors?: 'none' | 'optional' | 'required' | 'phishing_resistant';
      /** The look of the bundled pages for this organization. */ readonly brand?: {
        /** The https URL of the logo. The browser loads it, and the bundled pages name its host in their policy. */ readonly logo?: string;
        /** The color of buttons and links, on light pages. */ readonly color?: string;
        /** The color on dark pages. Default: one that follows from `color`. */ readonly colorDark?: string;
      };
    })[];
    readonly cache?: {
      /** The place of the user cache: `process` (each process has its own) or `database` (all processes share one in the accounts database). Default: `process`. */ readonly place?: 'process' | 'database';
      /** The maximum number of users in the cache of a process. Default: `10000`. */ readonly maxEntries?: number;
    };
    readonly secondFactors?: {
      /** Whether users need a second factor. `none`: the password is enough. `optional`: users who have one must use it. `required`: users without one must enrol one. `phishing_resistant`: a passkey is required. Default: `optional`. */ readonly policy?: 'none' | 'optional' | 'required' | 'phishing_resistant';
      /** The policy of each realm. Realms that are not listed have `policy`. */ readonly realms?: Readonly<Record<string, 'none' | 'optional' | 'required' | 'phishing_resistant'>>;
      /** Policies by client id. The stricter of the policies of the client and the realm applies. */ readonly clients?: Readonly<Record<string, 'none' | 'optional' | 'required' | 'phishing_resistant'>>;
      /** The kinds of factors that users can enrol. Factors of other kinds that users already have stay valid, except PINs. With `email`, users with a verified address and without an app, a token or a passkey get a code by email; nothing is enrolled. */ readonly kinds?: ('totp' | 'hotp' | 'pin' | 'recovery_code' | 'passkey' | 'email')[];
    };
    readonly passkeys?: {
      /** The domain for which passkeys are valid: the host of the login page, or a domain above it. Default: the host of `urls.login`. Changing it invalidates all passkeys. */ readonly rpId?: string;
      /** The name that browsers show when a user creates a passkey. Default: `Carnet`. */ readonly rpName?: string;
      /** The origins of the pages that ask for passkeys. Default: the origin of `urls.login`. */ readonly origins?: string[];
    };
    readonly signUp?: {
      /** Whether users can create an account. Sign-up needs a directory of the kind `sql` and a mail server. Default: `false`. */ readonly enabled?: boolean;
    };
    readonly emailSignIn?: {
      /** Whether users with a verified email address can sign in with a code by email instead of the password. It needs the accounts database and a mail server. Default: `false`. */ readonly enabled?: boolean;
    };
    readonly recovery?: {
      /** Whether users who have forgotten their password can set a new one by email. Recovery needs a directory of the kind `sql` and a mail server. Default: `false`. */ readonly enabled?: boolean;
    };
    readonly invitations?: {
      /** The page to which invitations link, with the parameter `token`. Default: `/invitation` at the origin of `urls.login`, which the bundled pages have. */ readonly page?: string;
      /** How long the link of an invitation is valid. */ readonly validSeconds?: number | string;
    };
    readonly deletion?: {
      /** Whether users of the directory of the kind `sql` can delete their account. Default: `false`. */ readonly enabled?: boolean;
      /** How long users who have asked for the deletion can keep their account by signing in. */ readonly graceSeconds?: number | string;
    };
    readonly mail?: {
      /** The mail server: `smtps://user:password@mail.example.com`. `smtp:` requires StartTLS, unless the server is on this machine or the URL ends with `?tls=none`. `log:` writes emails to the log, in dev mode only. */ readonly url?: string;
      /** The sender of emails. */ readonly from?: string;
      /** A folder with your own texts of emails: `<mail>.<language>.txt`, and optionally `<mail>.<language>.html`. Emails without a file have the text of Carnet. The files are checked and read at the start. */ readonly templates?: string;
    };
    /** The claims of each scope besides the standard ones (`profile`, `email`, `address`, `phone`): `department: [department, manager]`. The bundled pages add them to ID tokens, userinfo and access tokens if the scope is granted. */ readonly scopes?: Readonly<Record<string, string[]>>;
    readonly passwords?: {
      /** The minimum length of new passwords in the accounts database, in characters. Default: `8`. */ readonly minimumLength?: number;
      /** The URL of a range API of leaked passwords: `https://api.pwnedpasswords.com/range/` or a copy of it. For each new password, Carnet appends the first five hexadecimal digits of the SHA-1 hash to it. If the API does not answer in two seconds, only the other rules apply. In process, pass a function: `createProvider(config, { passwordCheck })`. */ readonly check?: string;
    };
    readonly attempts?: {
      /** The number of failed sign-ins that a login name may have in one window. Default: `10`. */ readonly perLogin?: number;
      /** The number of failed sign-ins that an IP address may have in one window. Default: `100`. */ readonly perAddress?: number;
      /** The length of a window in which failed sign-ins are counted. */ readonly windowSeconds?: number | string;
    };
    readonly validateCheck?: {
      /** Whether the admin listener answers `POST /validate/check`. PAM and RADIUS plug-ins of privacyIDEA use it to check passwords and codes. Default: `false`. */ readonly enabled?: boolean;
      /** The bearer token that callers of `/validate/check` must send, unless `accounts.validateCheck.allow` lists their address. */ readonly token?: string;
      /** IP addresses and networks (`10.1.0.0/16`) of the callers of `/validate/check` that need no token. */ readonly allow?: string[];
      /** The content of `pass`: the static PIN (`pin`), the PIN and a code of an authenticator app (`pin_otp`), or the password of the directory and a code (`password_otp`). Default: `password_otp`. */ readonly mode?: 'pin' | 'pin_otp' | 'password_otp';
    };
    readonly scim?: {
      /** Whether directories such as Entra and Okta manage the users of the directory of the kind `sql` and their groups by SCIM 2.0, at `/scim/v2` below the issuer. It needs the package `@carnet/scim`. Default: `false`. */ readonly enabled?: boolean;
      /** The bearer token of the SCIM client: at least 32 characters, or `sha256:` and the SHA-256 digest of the token in hexadecimal. */ readonly token?: string;
      /** Another token that is accepted, until all clients send the new one. */ readonly previousToken?: string;
      /** Further bearer tokens, one for each SCIM client. Each can be replaced and removed without the others. */ readonly tokens?: ({
        /** The name of the token. Audit records have it as `accounts.scim.tokens.<name>`. `ACCOUNTS_SCIM_TOKEN_OKTA` sets the value of the token `okta`. */ readonly name: string;
        /** The token, or its digest. While it is replaced, the new and the old one, separated by a comma. */ readonly value: string;
      })[];
      /** Whether email addresses from the SCIM client are known to belong to their users (`email_verified`). Default: `false`. */ readonly emailsVerified?: boolean;
      /** The number of SCIM requests that a process answers per second. Ten times as many are answered at once after a pause; others get 429. Default: `50`. */ readonly requestsPerSecond?: number;
    };
    /** Whether an empty accounts database gets the user demo@example.com with the password carnet-demo. In dev mode only. Default: `false`. */ readonly demoUser?: boolean;
    /** Whether a change of the password revokes the user's tokens and remembered consents. It always ends the remembered logins. Default: `true`. */ readonly revokeTokensOnPasswordChange?: boolean;
  };
  /** Events for administrators and other programs. This section needs the package `@carnet/events`. */ readonly events?: {
    /** How long events are kept in the store, from 1 hour to 400 days. Default: 30 days. A webhook that does not answer gets the events of this time later. With less than 4 days, an event may expire before its last attempt. */ readonly retention?: number | string;
    /** The types of events that are kept, and sent to webhooks. Default: all. */ readonly types?: string[];
    /** The URLs that events are sent to, signed as Standard Webhooks. */ readonly webhooks?: ({
      /** The name of the webhook. Its state is stored with it: a webhook with another name gets new events only. */ readonly name: string;
      /** Where its events are sent. It must be https, unless it is on this machine. Outside of dev mode, a host without a public address must be in `outbound.allow`. */ readonly url: string;
      /** The secret that signs its events. While it is replaced, the new and the old one, separated by a comma. Prefer the environment variable `EVENTS_WEBHOOK_<NAME>_SECRET`. */ readonly secret: string;
      /** The types of its events. Default: all but those of refused requests, whose names end in `refused` or `denied`. `*` is every type. */ readonly types?: string[];
    })[];
  };
  readonly log?: {
    /** The least severe level that is logged. Default: `info`. */ readonly level?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  };
}
