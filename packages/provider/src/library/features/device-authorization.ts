import type { Write } from '@carnet/adapter-contract';
import type { Context } from 'koa';
import { CarnetError } from '../../errors.ts';
import { requestKey } from '../../flow/polled-requests.ts';
import { createUserCode, groupedUserCode, userCodeKey } from '../../flow/user-code.ts';
import type { Stopped } from '../commit-middleware.ts';
import { stateOf } from '../request-state.ts';
import type { FeatureDependencies } from './feature.ts';

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
export const addUserCode = (ctx: Context, deps: UserCodeDependencies): void => {
  if (ctx.status === 200) stateOf(ctx).uow.write(giveUserCode(ctx, deps));
};

const attempts = 5;

/**
 * Tries other user codes, because another device has this one.
 *
 * @throws CarnetError `too_busy` after five attempts
 */
export const replaceUserCode = async (ctx: Context, deps: UserCodeDependencies, stopped: Stopped): Promise<void> => {
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
