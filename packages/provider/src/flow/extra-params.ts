/** The parameters of the protocol with every feature enabled, and the registered claims of request objects. */
const protocolParams: ReadonlySet<string> = new Set(
  `acr_values audience authorization_details claims claims_locales client_id code_challenge code_challenge_method display
  dpop_jkt login_hint max_age nonce prompt redirect_uri registration request request_uri resource response_mode
  response_type scope state ui_locales web_message_uri aud exp iat iss jti nbf sub`.split(/\s+/),
);

/** Names of secrets, such as `client_assertion`, `x-api-key` and `userPin`. A short name is a word of its own: `shipping`. */
const secretName =
  /secret|token|assertion|passw(?:or)?d|passphrase|verifier|credential|(?:api|access|private)[^a-z]?key|(?<![a-z])(?:(?:pin|otp|pass)(?:code)?|totp|pwd|jwt)(?![a-z])|^code$/i;

const isSecret = (name: string): boolean => secretName.test(name.replace(/[a-z](?=[A-Z])/g, '$&_'));

/** Characters: as many as fit in a query. */
const maxLength = 8_192;

/**
 * The parameters of an authorization request that Carnet does not know, such as `tenant`: the flow carries them to the
 * login and consent app in `request_url`. Left out are names of secrets, empty values, parameters that are sent twice,
 * and those beyond 8 KB.
 */
export const extraParams = (
  sent: Iterable<readonly [name: string, value: unknown]>,
): Readonly<Record<string, string>> | undefined => {
  const extra: [string, string][] = [];
  let length = 0;
  for (const [name, value] of sent) {
    if (typeof value !== 'string' || value === '' || protocolParams.has(name) || isSecret(name)) continue;
    length += name.length + value.length;
    if (length > maxLength) break;
    extra.push([name, value]);
  }
  return extra.length === 0 ? undefined : Object.fromEntries(extra);
};
