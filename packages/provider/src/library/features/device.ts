import type { Write } from '@carnet/adapter-contract';
import type { Context } from 'koa';
import type { Provider } from 'oidc-provider';
import { grantTypes } from '../../clients/grant-types.ts';
import { CarnetError } from '../../errors.ts';
import { requestKey } from '../../flow/polled-requests.ts';
import { deviceVerificationPath } from '../../flow/urls.ts';
import { createUserCode, groupedUserCode, userCodeKey } from '../../flow/user-code.ts';
import { createDeviceVisit } from '../../interaction/device-visit.ts';
import { deviceCodeValue } from '../../tokens/token-value.ts';
import type { Stopped } from '../commit-middleware.ts';
import { respondToVisit } from '../flow-middleware.ts';
import { polledRequestModel } from '../models/polled-request-model.ts';
import { deviceAuthorizationPath } from '../paths.ts';
import { stateOf } from '../request-state.ts';
import type { Feature, FeatureDependencies } from './feature.ts';

type UserCodeDependencies = Pick<FeatureDependencies, 'options' | 'undoneBy' | 'now'>;

/** The response to a device (RFC 8628, section 3.2). */
interface DeviceAnswer {
  readonly device_code: string;
  readonly verification_uri: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Adds a user code to the response. The code is claimed, so that no two devices have the same. */
const giveUserCode = (ctx: Context, { options, now }: UserCodeDependencies): Write => {
  const { pollingIntervalSeconds, userCode } = options.features.device;
  const answer = ctx.body as DeviceAnswer;
  const code = createUserCode(userCode);
  const complete = new URL(answer.verification_uri);
  const shown = groupedUserCode(code);
  complete.searchParams.set('user_code', shown);
  ctx.body = {
    ...answer,
    user_code: shown,
    verification_uri_complete: complete.href,
    interval: pollingIntervalSeconds,
  };
  return {
    type: 'claim',
    record: {
      ...userCodeKey(code),
      payload: JSON.stringify({ request: requestKey('device', answer.device_code).id }),
      expiresAt: new Date(now() + answer.expires_in * 1000),
    },
  };
};

/** Adds a user code to a successful response of oidc-provider. */
const addUserCode = (ctx: Context, deps: UserCodeDependencies): void => {
  if (ctx.status === 200) stateOf(ctx).uow.write(giveUserCode(ctx, deps));
};

const attempts = 5;

/**
 * Tries other user codes, because another device has this one.
 *
 * @throws CarnetError `too_busy` after five attempts
 */
const replaceUserCode = async (ctx: Context, deps: UserCodeDependencies, stopped: Stopped): Promise<void> => {
  let { undone } = stopped;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { uow } = stateOf(ctx);
    const writes = [...undone, giveUserCode(ctx, deps)];
    for (const write of writes) uow.write(write);
    const conflict = await uow.commit('succeeded');
    if (conflict === undefined) return;
    undone = deps.undoneBy(conflict, writes);
  }
  throw new CarnetError('too_busy', 'Too many user codes are waiting to be entered. Try again in a moment.');
};

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
