import type { Client, ConsentRequest } from '../api/wire.ts';
import { askingDevice, DeviceFacts } from '../device/asking-device.tsx';
import { AccountCard, type AccountCardProps } from '../page/account-card.tsx';
import { Caution } from '../page/caution.tsx';
import { Button, Form, type FormTarget, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import { ClientLogo } from './client-logo.tsx';
import { scopeText } from './scopes.ts';
import { WhoAsks, whoAsks } from './who-asks.tsx';

export interface ConsentFormProps {
  readonly view: View;
  readonly target: FormTarget;
  readonly asked: ConsentRequest;
  readonly logo: URL | undefined;
  /** The request is for a device, which may be elsewhere. */
  readonly forDevice: boolean;
  /** Names of the claims that the client requests individually. */
  readonly claims: readonly string[];
  /** Whether the scopes are ticked at first. */
  readonly ticked: boolean;
  /** The name, if the directory has one; otherwise the email address or the subject. */
  readonly user: Pick<AccountCardProps, 'name' | 'detail'>;
  /** Where the user signs in with another account. */
  readonly otherAccountHref: string | undefined;
}

/** The consent page. The id of a scope's checkbox is the scope. */
export function ConsentForm(props: ConsentFormProps) {
  const { view, target, asked, logo, forDevice, claims, ticked, user, otherAccountHref } = props;
  const { client, requested_scope: scopes } = asked;
  const clientName = client.client_name || client.client_id;
  const text = view.text.consent;
  const device = forDevice ? askingDevice(asked) : undefined;
  const wants = forDevice ? text.wantsForDevice : text.wants;
  return (
    <Page
      view={view}
      title={text.title(clientName)}
      heading={text.heading}
      text={wants(<Strong>{clientName}</Strong>)}
      picture={logo && <ClientLogo url={logo} />}
    >
      <WhoAsks view={view} asking={whoAsks(asked)} />
      {device && <DeviceFacts view={view} device={device} client={clientName} />}
      {forDevice && <Caution id="device-caution">{text.deviceCaution}</Caution>}
      <AccountCard {...user}>
        {otherAccountHref && (
          <small>
            <a id="another" href={otherAccountHref}>
              {view.text.login.useAnother}
            </a>
          </small>
        )}
      </AccountCard>
      <Form {...target}>
        {scopes.length > 0 && (
          <fieldset>
            <legend>{text.willAllow(clientName)}</legend>
            {scopes.map((scope) => (
              <ScopeChoice key={scope} view={view} scope={scope} ticked={ticked} />
            ))}
          </fieldset>
        )}
        {claims.length > 0 && <p id="requested-claims">{text.willShare(clientName, listOf(view, claims))}</p>}
        {!forDevice && (
          <label className="check" htmlFor="remember">
            <input id="remember" name="remember" type="checkbox" value="1" />
            <span>{text.remember}</span>
          </label>
        )}
        <Submit label={text.allow} name="decision" value="accept">
          <Button
            id="reject"
            label={forDevice ? view.text.device.notMe : text.deny}
            name="decision"
            value="reject"
            isPlain
          />
        </Submit>
      </Form>
      <Terms view={view} client={client} />
    </Page>
  );
}

/** The names of claims as a list in the language of the page. */
const listOf = (view: View, claims: readonly string[]): string => {
  const names: Readonly<Record<string, string>> = view.text.claims;
  return new Intl.ListFormat(view.language, { type: 'unit' }).format(claims.map((claim) => names[claim] ?? claim));
};

function ScopeChoice({ view, scope, ticked }: { view: View; scope: string; ticked: boolean }) {
  const text = scopeText(view, scope) ?? scope;
  // The request is a login: its scope is always granted. A disabled box would look as if it were off.
  if (ticked && scope === 'openid') return <GivenScope scope={scope} text={text} />;
  return (
    <label className="check" htmlFor={scope}>
      <input id={scope} name="grant_scope" type="checkbox" value={scope} defaultChecked={ticked} />
      <span>{text}</span>
    </label>
  );
}

function GivenScope({ scope, text }: { scope: string; text: string }) {
  return (
    <div className="check given" id={scope}>
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.5" aria-hidden="true">
        <path d="m5 12.5 4.5 4.5L19 7.5" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <span>{text}</span>
    </div>
  );
}

/** The client chose it: only what is a web page becomes a link, so none can be `javascript:`. */
const webLink = (uri: string | null | undefined): string | undefined => {
  const url = URL.parse(uri ?? '');
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
};

function Terms({ view, client }: { view: View; client: Client }) {
  const { privacy, terms } = view.text.consent;
  const links = [
    { label: privacy, href: webLink(client.policy_uri) },
    { label: terms, href: webLink(client.tos_uri) },
  ].filter((link) => link.href !== undefined);
  if (links.length === 0) return null;
  return (
    <p className="fine">
      {links.map(({ label, href }, index) => (
        <span key={label}>
          {index > 0 && ' · '}
          <a href={href} rel="noopener noreferrer">
            {label}
          </a>
        </span>
      ))}
    </p>
  );
}
