import type { Page } from 'playwright-core';

export interface VirtualAuthenticator {
  /** Whether the user passes the check of the device, such as the fingerprint. */
  setUserVerified(isUserVerified: boolean): Promise<void>;
}

/** A platform authenticator in this tab, whose user always confirms. */
export const addVirtualAuthenticator = async (page: Page): Promise<VirtualAuthenticator> => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setUserVerified: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
};
