import type { Provider } from 'oidc-provider';
import { grantTypes } from '../../clients/grant-types.ts';
import { deviceVerificationPath } from '../../flow/urls.ts';
import { deviceCodeValue } from '../../tokens/token-value.ts';
import { alreadyUsed } from '../commit-middleware.ts';
import { polledRequestModel } from '../models/polled-request-model.ts';
import { deviceAuthorizationPath } from '../paths.ts';
import { addUserCode, replaceUserCode } from './device-authorization.ts';
import { createDeviceVerification } from './device-verification.ts';
import type { Feature } from './feature.ts';

const nameDeviceCodes = (provider: Provider): void => {
  Object.assign((provider as unknown as { DeviceCode: { prototype: object } }).DeviceCode.prototype, {
    generateTokenId: deviceCodeValue,
  });
};

/**
 * The device flow (RFC 8628). The device's part is oidc-provider's; the person's is a sealed flow of its own
 * (`device-verification.ts`).
 */
export const device: Feature = {
  name: 'device',
  create: (deps) => {
    const { options, modelOptions } = deps;
    const { pollingIntervalSeconds } = options.features.device;
    const verify = createDeviceVerification(deps);
    return {
      upstream: { deviceFlow: { enabled: true } },
      configuration: { ttl: { DeviceCode: options.ttl.deviceUserCode } },
      models: {
        DeviceCode: polledRequestModel({ ...modelOptions, kind: 'device', name: 'DeviceCode', pollingIntervalSeconds }),
      },
      endpoints: {
        device_authorization: { path: deviceAuthorizationPath, methods: ['POST', 'OPTIONS'] },
        code_verification: { path: deviceVerificationPath, methods: ['GET'], isForBrowsers: true },
      },
      grantTypes: [grantTypes.deviceCode],
      conflicts: {
        // Of two devices with one user code the second gets another; of two answers to one device the first counts.
        'claim:device': (ctx, stopped) =>
          ctx.path === deviceAuthorizationPath ? replaceUserCode(ctx, deps, stopped) : alreadyUsed(ctx, options.issuer),
      },
      middleware: async (ctx, next) => {
        if (ctx.path === deviceVerificationPath) return verify(ctx);
        await next();
        if (ctx.path === deviceAuthorizationPath && ctx.method === 'POST') addUserCode(ctx, deps);
      },
      install: nameDeviceCodes,
    };
  },
};
