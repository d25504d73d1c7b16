import { grantTypes } from '../../clients/grant-types.ts';
import { deviceVerificationPath } from '../../flow/urls.ts';
import { deviceAuthorizationPath } from '../paths.ts';
import type { Feature } from './feature.ts';

/** The device flow (RFC 8628): `endpoints/device.ts`. The user signs in by a flow (`device-visit.ts`). */
export const device: Feature = {
  name: 'device',
  create: () => ({
    upstream: { deviceFlow: { enabled: true } },
    endpoints: {
      device_authorization: { path: deviceAuthorizationPath, methods: ['POST', 'OPTIONS'] },
      code_verification: { path: deviceVerificationPath, methods: ['GET'], isForBrowsers: true },
    },
    grantTypes: [grantTypes.deviceCode],
  }),
};
