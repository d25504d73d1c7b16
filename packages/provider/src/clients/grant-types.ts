/** Every grant type of this server, including those that a feature switches on. */
export const grantTypes = {
  /** RFC 6749. */
  authorizationCode: 'authorization_code',
  clientCredentials: 'client_credentials',
  implicit: 'implicit',
  refreshToken: 'refresh_token',
  /** RFC 8628, section 3.4. */
  deviceCode: 'urn:ietf:params:oauth:grant-type:device_code',
  /** RFC 7523, section 2.1. */
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  /** RFC 8693, section 2.1. */
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  /** OpenID Connect CIBA Core 1.0, section 4. */
  ciba: 'urn:openid:params:grant-type:ciba',
} as const;
