import type { StoredRecord, Write } from '@carnet/adapter-contract';
import { grantTypes } from '../clients/grant-types.ts';
import { CarnetError } from '../errors.ts';
import { createFlowId } from '../flow/flow-id.ts';
import { requestKey, requestRecord } from '../flow/polled-requests.ts';
import { deviceVerificationPath, issuerUrl } from '../flow/urls.ts';
import { createUserCode, groupedUserCode, userCodeKey } from '../flow/user-code.ts';
import { type ProvenStore, unforeseen } from '../grants/request-store.ts';
import { conflictName } from '../storage/stopped-commit.ts';
import { deviceCodeValue } from '../tokens/token-value.ts';
import { openFromClient, type RequestReader } from './authorization/open-request.ts';
import { assertGrantType, type ClientAnswer, createPublicQuota } from './client-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { type PublicEndpoint, visitOf, withCookies } from './endpoint.ts';

const attempts = 6;

/** `POST /oauth2/device/auth` (RFC 8628, section 3.1): stores the request, which the user finds by a code. */
export const createDeviceAuthorizationEndpoint = (
  deps: Pick<EndpointDependencies, 'options' | 'envelope' | 'placeOf' | 'now'> & RequestReader,
): ClientAnswer => {
  const { options, validator, envelope, placeOf, now } = deps;
  const { pollingIntervalSeconds: interval, userCode } = options.features.device;
  const { deviceUserCode: expires_in } = options.ttl;
  const verification_uri = issuerUrl(options.issuer, deviceVerificationPath).href;
  const assertQuota = createPublicQuota(now);

  /**
   * Stores a request under a user code, which is claimed, so that no two devices have the same.
   *
   * @throws CarnetError `too_busy` if other devices have all codes that were tried
   */
  const put = async (record: StoredRecord, store: ProvenStore): Promise<string> => {
    let writes: readonly Write[] = [{ type: 'put', record }];
    const payload = JSON.stringify({ request: record.id });
    const expiresAt = new Date(now() + expires_in * 1000);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const code = createUserCode(userCode);
      const claim: Write = { type: 'claim', record: { ...userCodeKey(code), payload, expiresAt } };
      const stopped = await store.commit([...writes, claim]);
      if (stopped === undefined) return groupedUserCode(code);
      if (conflictName(stopped.conflict) !== 'claim:device') throw unforeseen(stopped);
      writes = stopped.undone;
    }
    throw new CarnetError('too_busy', 'Too many user codes are waiting to be entered. Try again in a moment.');
  };

  return async (request, { client }, store) => {
    assertGrantType(client, grantTypes.deviceCode);
    const opened = await openFromClient(deps, 'device_authorization', request, client);
    const params = validator.validatePolled(opened, client);
    assertQuota(client);
    const device_code = deviceCodeValue();
    const requestedAt = Math.floor(now() / 1000);
    const device = { requestedAt, address: placeOf(request.message).address };
    const state = { id: createFlowId(now()), expiresAt: requestedAt + expires_in, params, device };
    const user_code = await put(requestRecord(envelope, requestKey('device', device_code), state), store);
    const verification_uri_complete = `${verification_uri}?${new URLSearchParams({ user_code })}`;
    return {
      status: 200,
      body: { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval },
    };
  };
};

/** `GET /oauth2/device/verify` (RFC 8628, section 3.3): a browser with a user code, or with the decision of a page. */
export const createDeviceVerificationEndpoint =
  (deps: Pick<EndpointDependencies, 'adapter' | 'engine'>): PublicEndpoint =>
  async (request) => {
    const browser = visitOf(request, deps);
    return withCookies(await deps.engine.deviceVisit(request.params, browser), browser);
  };
