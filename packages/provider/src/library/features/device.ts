import type { Provider } from 'oidc-provider';
import { grantTypes } from '../../clients/grant-types.ts';
import { deviceVerificationPath } from '../../flow/urls.ts';
import { createDeviceVisit } from '../../interaction/device-visit.ts';
import { deviceCodeValue } from '../../tokens/token-value.ts';
import { respondToVisit } from '../flow-middleware.ts';
import { polledRequestModel } from '../models/polled-request-model.ts';
import { deviceAuthorizationPath } from '../paths.ts';
import { stateOf } from '../request-state.ts';
import { addUserCode, replaceUserCode } from './device-authorization.ts';
import type { Feature } from './feature.ts';

const nameDeviceCodes = (provider: Provider): void => {
  Object.assign((provider as unknown as { DeviceCode: { prototype: object } }).DeviceCode.prototype, {
    generateTokenId: deviceCodeValue,
  });
};

/** The device flow (RFC 8628). oidc-provider answers the device; the user signs in by a flow (`device-visit.ts`). */
export const device: Feature = {
  name: 'device',
  create: (deps) => {
    const { options, modelOptions } = deps;
    const visit = createDeviceVisit(deps);
    return {
      upstream: { deviceFlow: { enabled: true } },
      configuration: { ttl: { DeviceCode: options.ttl.deviceUserCode } },
      models: {
        DeviceCode: polledRequestModel({ ...modelOptions, kind: 'device', placeOf: deps.placeOf }),
      },
      endpoints: {
        device_authorization: { path: deviceAuthorizationPath, methods: ['POST', 'OPTIONS'] },
        code_verification: { path: deviceVerificationPath, methods: ['GET'], isForBrowsers: true },
      },
      grantTypes: [grantTypes.deviceCode],
      conflicts: {
        // Another device has the user code: this one gets another.
        'claim:device': (ctx, stopped) => replaceUserCode(ctx, deps, stopped),
      },
      middleware: async (ctx, next) => {
        if (ctx.path === deviceVerificationPath) {
          return respondToVisit(ctx, await visit(new URLSearchParams(ctx.querystring), stateOf(ctx)));
        }
        await next();
        if (ctx.path === deviceAuthorizationPath && ctx.method === 'POST') addUserCode(ctx, deps);
      },
      install: nameDeviceCodes,
    };
  },
};
