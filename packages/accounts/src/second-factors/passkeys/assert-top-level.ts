import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';

/**
 * The sign-in pages forbid frames, so client data of a ceremony in a frame of another site (`crossOrigin` or `topOrigin`:
 * WebAuthn level 3, sections 7.1 and 7.2) is not from these pages.
 *
 * @throws if the ceremony ran in a frame of another site, or the client data cannot be decoded
 */
export const assertTopLevel = (clientDataJson: string): void => {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJson) as {
    crossOrigin?: unknown;
    topOrigin?: unknown;
  };
  if (crossOrigin === true || topOrigin !== undefined) throw new Error('The page was in a frame of another site.');
};
