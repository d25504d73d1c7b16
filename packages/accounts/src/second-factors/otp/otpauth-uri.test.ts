import { expect, it } from 'vitest';
import { defaultParameters } from './hotp.ts';
import { otpauthUri, qrSvg } from './otpauth-uri.ts';

const input = { issuer: 'Carnet: demo', account: 'zoë@example.com', secret: 'ABC', parameters: defaultParameters };

it('names issuer, account, secret and every parameter', () => {
  expect(otpauthUri({ ...input, kind: 'totp' })).toBe(
    'otpauth://totp/Carnet%20%20demo:zo%C3%AB%40example.com?secret=ABC&issuer=Carnet%20%20demo&algorithm=SHA1&digits=6&period=30',
  );
  expect(otpauthUri({ ...input, kind: 'hotp' })).toMatch(/^otpauth:\/\/hotp\/.*&digits=6&counter=0$/);
});

it('the QR code is an SVG element that a strict content security policy allows', () => {
  const svg = qrSvg(otpauthUri({ ...input, kind: 'totp' }));
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+">.*<\/svg>$/s);
  expect(svg).not.toMatch(/style|script|href/);
});
