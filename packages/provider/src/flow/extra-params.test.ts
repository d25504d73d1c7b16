import { expect, it } from 'vitest';
import { extraParams } from './extra-params.ts';

it.each(
  `pin user_pin userPin PIN pin_code pincode otp sms-otp totp otp1 pwd user.pwd api_key apikey api-key apiKey X-API-Key
  access_key private_key pass passphrase passcode passwd password jwt id_jwt assertion client_secret loginVerifier
  invitation_token credentials code`.split(/\s+/),
)('the parameter %s is left out as a secret', (name) => expect(extraParams([[name, 'x']])).toBeUndefined());

it.each(
  'shipping hotpot spin opinion pinned option tenant passenger compass key keyword country_code mapping'.split(' '),
)('the parameter %s is kept', (name) => expect(extraParams([[name, 'x']])).toEqual({ [name]: 'x' }));
