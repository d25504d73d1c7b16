import { z } from 'zod';
import type { ConsentRequest } from '../api/wire.ts';
import type { View } from '../page/view.ts';

/** A user code in groups of four, as devices show it (RFC 8628, section 6.1). The provider ignores the dashes. */
export const groupedCode = (code: string): string =>
  /^[a-z\d]{8,}$/i.test(code) ? (code.toUpperCase().match(/.{1,4}/g) ?? []).join('-') : code;

const context = z.object({
  device: z.object({
    requested_at: z.iso.datetime(),
    address: z.string().optional(),
    user_code: z.string().optional(),
  }),
});

/** The device for which the user consents, as Carnet saw it. */
export interface AskingDevice {
  readonly userCode: string | undefined;
  readonly requestedAt: Date;
  readonly address: string | undefined;
}

/** The device of a consent request; undefined if the provider does not send it. */
export const askingDevice = (request: Pick<ConsentRequest, 'context'>): AskingDevice | undefined => {
  const result = context.safeParse(request.context);
  if (!result.success) return undefined;
  const { requested_at: requestedAt, address, user_code: userCode } = result.data.device;
  return { requestedAt: new Date(requestedAt), address, userCode: userCode && groupedCode(userCode) };
};

const ago = (view: View, at: Date): string => {
  const minutes = Math.max(0, Math.round((Date.now() - at.getTime()) / 60_000));
  return new Intl.RelativeTimeFormat(view.language, { numeric: 'auto' }).format(-minutes, 'minute');
};

/**
 * The facts that tell the user's own device from that of an attacker who sent a code (RFC 8628, section 5.4). The device
 * chooses none of them.
 */
export function DeviceFacts({ view, device, client }: { view: View; device: AskingDevice; client: string }) {
  const text = view.text.device;
  const facts = [
    [text.code, device.userCode],
    [text.requestedBy, client],
    [text.requestedAt, ago(view, device.requestedAt)],
    [text.requestedFrom, device.address],
  ].filter(([, fact]) => fact);
  return (
    <dl className="report" id="device-facts">
      {facts.map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{fact}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
