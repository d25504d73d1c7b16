import type { Client } from '../api/wire.ts';
import { formTokenField } from '../csrf/form-token.ts';
import { type AskingDevice, DeviceFacts } from '../device/asking-device.tsx';
import { AccountCard } from '../page/account-card.tsx';
import { Caution } from '../page/caution.tsx';
import { Page } from '../page/page.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import { ClientLogo } from './client-logo.tsx';
import { scopeText } from './scopes.ts';
import { type Asking, WhoAsks } from './who-asks.tsx';

export interface ShownUser {
  /** The name, if the directory has one; otherwise the email address or the subject. */
  readonly name: string;
  readonly detail: string | undefined;
}

export interface ConsentFormProps {
  readonly view: View;
  readonly action: string;
  readonly token: string;
  readonly client: Client;
  readonly logo: URL | undefined;
  readonly asking: Asking;
  /** The request is for a device, which may be elsewhere. */
  readonly forDevice: boolean;
  readonly device: AskingDevice | undefined;
  readonly scopes: readonly string[];
  /** Names of the claims that the client requests individually. */
  readonly claims: readonly string[];
  /** Whether the scopes are ticked at first. */
  readonly ticked: boolean;
  readonly user: ShownUser;
  /** Where the user signs in with another account. */
  readonly otherAccountHref: string | undefined;
}

/** The consent page. The id of a scope's checkbox is the scope. */
export function ConsentForm(props: ConsentFormProps) {
  const {
    view,
    action,
    token,
    client,
    logo,
    asking,
    forDevice,
    device,
    scopes,
    claims,
    ticked,
    user,
    otherAccountHref,
  } = props;
  const clientName = client.client_name || client.client_id;
  const text = view.text.consent;
  const wants = forDevice ? text.wantsForDevice : text.wants;
  return (
    <Page view={view} title={text.title(clientName)}>
      {logo && <ClientLogo url={logo} />}
      <h1>{text.heading}</h1>
      <p className="lead">{wants(<Strong>{clientName}</Strong>)}</p>
      <WhoAsks view={view} asking={asking} />
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
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
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
        <Decision view={view} forDevice={forDevice} />
      </form>
      <Terms view={view} client={client} />
    </Page>
  );
}

function Decision({ view, forDevice }: { view: View; forDevice: boolean }) {
  const { allow, deny } = view.text.consent;
  return (
    <div className="actions">
      <button id="accept" name="decision" value="accept" type="submit">
        {allow}
      </button>
      <button id="reject" name="decision" value="reject" type="submit" className="plain">
        {forDevice ? view.text.device.notMe : deny}
      </button>
    </div>
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
  if (!uri || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
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
