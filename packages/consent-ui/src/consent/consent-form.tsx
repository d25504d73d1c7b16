import type { Client } from '../api/wire.ts';
import { formTokenField } from '../csrf/form-token.ts';
import { Page } from '../page/page.tsx';
import { scopeTexts } from './scopes.ts';
import { type Asking, WhoAsks } from './who-asks.tsx';

export interface ShownUser {
  /** The name, if the directory has one; otherwise the email address or the subject. */
  readonly name: string;
  readonly detail: string | undefined;
}

export interface ConsentFormProps {
  readonly action: string;
  readonly token: string;
  readonly client: Client;
  readonly asking: Asking;
  /** The request is for a device, which may be elsewhere. */
  readonly forDevice: boolean;
  readonly scopes: readonly string[];
  /** Names of the claims that the client requests individually. */
  readonly claims: readonly string[];
  /** Whether the scopes are ticked at first. */
  readonly ticked: boolean;
  readonly user: ShownUser;
}

/** The consent page. The id of a scope's checkbox is the scope. */
export function ConsentForm({
  action,
  token,
  client,
  asking,
  forDevice,
  scopes,
  claims,
  ticked,
  user,
}: ConsentFormProps) {
  const clientName = client.client_name || client.client_id;
  return (
    <Page title={`Allow ${clientName}?`}>
      <h1>Allow access?</h1>
      <p className="lead">
        <strong>{clientName}</strong> wants to use your account{forDevice && ' on the device whose code you entered'}.
      </p>
      <WhoAsks asking={asking} />
      {forDevice && (
        <p className="caution" id="device-caution">
          Allow this only if the device is yours and you started it yourself. Never do it because someone asked you to.
        </p>
      )}
      <User {...user} />
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        {scopes.length > 0 && (
          <fieldset>
            <legend>This will allow {clientName} to</legend>
            {scopes.map((scope) => (
              <ScopeChoice key={scope} scope={scope} ticked={ticked} />
            ))}
          </fieldset>
        )}
        {claims.length > 0 && (
          <p id="requested-claims">
            This will also share these details with {clientName}: {claims.join(', ')}.
          </p>
        )}
        {!forDevice && (
          <label className="check" htmlFor="remember">
            <input id="remember" name="remember" type="checkbox" value="1" />
            <span>Do not ask me again</span>
          </label>
        )}
        <div className="actions">
          <button id="accept" name="decision" value="accept" type="submit">
            Allow access
          </button>
          <button id="reject" name="decision" value="reject" type="submit" className="plain">
            Deny
          </button>
        </div>
      </form>
      <Terms client={client} />
    </Page>
  );
}

function User({ name, detail }: ShownUser) {
  return (
    <p className="person">
      <i aria-hidden="true">{[...name][0]?.toUpperCase()}</i>
      <span>
        {name}
        {detail && <small>{detail}</small>}
      </span>
    </p>
  );
}

function ScopeChoice({ scope, ticked }: { scope: string; ticked: boolean }) {
  const text = Object.hasOwn(scopeTexts, scope) ? scopeTexts[scope] : undefined;
  return (
    <label className="check" htmlFor={scope}>
      <input
        id={scope}
        name="grant_scope"
        type="checkbox"
        value={scope}
        defaultChecked={ticked}
        disabled={ticked && scope === 'openid'}
      />
      <span>
        {text ?? scope}
        {text && <small>{scope}</small>}
      </span>
    </label>
  );
}

/** The client chose it: only what is a web page becomes a link, so none can be `javascript:`. */
const webLink = (uri: string | null | undefined): string | undefined => {
  if (!uri || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
};

function Terms({ client }: { client: Client }) {
  const links = [
    { label: 'Privacy policy', href: webLink(client.policy_uri) },
    { label: 'Terms of service', href: webLink(client.tos_uri) },
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
