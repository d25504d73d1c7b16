// A client of the provider, so that you can sign in at once: delete it when your application has a client of its own.
import { randomBytes } from 'node:crypto';
import * as oidc from 'openid-client';
import { html, page, type Reply, redirect } from './page.ts';
import { appUrl, issuer } from './settings.ts';

interface Session {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  idToken?: string;
  claims?: oidc.IDToken;
}

const maximumSessions = 1000;
const sessions = new Map<string, Session>();

const sessionId = (cookies = ''): string => /(?:^|; )demo=([\w-]+)/.exec(cookies)?.[1] ?? '';

/** Keeps a session under a new id, which only the browser gets. The oldest session makes room. */
const openSession = (session: Session): { readonly 'set-cookie': string } => {
  const [oldest = ''] = sessions.keys();
  if (sessions.size >= maximumSessions) sessions.delete(oldest);
  const id = randomBytes(24).toString('base64url');
  sessions.set(id, session);
  const secure = appUrl.startsWith('https:') ? '; Secure' : '';
  return { 'set-cookie': `demo=${id}; Path=/; HttpOnly; SameSite=Lax${secure}` };
};

let discovered: oidc.Configuration | undefined;

/** The metadata of the provider, read at the first sign-in. */
const discover = async (): Promise<oidc.Configuration> => {
  // http is for development on this machine only.
  const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  discovered ??= await oidc.discovery(new URL(issuer), 'demo', process.env.CLIENT_DEMO_SECRET, undefined, { execute });
  return discovered;
};

/** `GET /`: who is signed in. */
export const showHome = (cookies?: string): Reply => {
  const claims = sessions.get(sessionId(cookies))?.claims;
  if (claims === undefined) {
    return page('Demo', html`<p>You are not signed in.</p><a class="button" href="/demo/sign-in">Sign in</a>`);
  }
  const rows = Object.entries(claims).map(([name, value]) => html`<tr><th>${name}</th><td>${String(value)}</td></tr>`);
  const signOut = html`<form method="post" action="/demo/sign-out"><button>Sign out</button></form>`;
  return page('You are signed in', html`<table>${rows}</table>${signOut}`);
};

/** `GET /demo/sign-in`: redirects the browser to the provider. */
export const startSignIn = async (): Promise<Reply> => {
  const configuration = await discover();
  const session = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: `${appUrl}/demo/callback`,
    scope: 'openid profile email',
    state: session.state,
    nonce: session.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(session.codeVerifier),
    code_challenge_method: 'S256',
  });
  return redirect(url.href, openSession(session));
};

/** `GET /demo/callback`: redeems the code with which the provider redirects the browser back. */
export const finishSignIn = async (path: string, cookies?: string): Promise<Reply> => {
  const id = sessionId(cookies);
  const session = sessions.get(id);
  sessions.delete(id);
  try {
    // Without the session of this browser, an attacker could sign this browser in to the attacker's account.
    if (session === undefined) throw new Error('This sign-in did not begin in this browser.');
    const tokens = await oidc.authorizationCodeGrant(await discover(), new URL(path, appUrl), {
      pkceCodeVerifier: session.codeVerifier,
      expectedState: session.state,
      expectedNonce: session.nonce,
      idTokenExpected: true,
    });
    return redirect('/', openSession({ ...session, idToken: tokens.id_token, claims: tokens.claims() }));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return page('You were not signed in', html`<p role="alert">${text}</p><a href="/">Try again</a>`, 400);
  }
};

/** `POST /demo/sign-out`: ends this session, and the one at the provider. */
export const signOut = async (cookies?: string): Promise<Reply> => {
  const id = sessionId(cookies);
  const { idToken = '' } = sessions.get(id) ?? {};
  sessions.delete(id);
  if (idToken === '') return redirect('/');
  const parameters = { id_token_hint: idToken, post_logout_redirect_uri: `${appUrl}/` };
  return redirect(oidc.buildEndSessionUrl(await discover(), parameters).href);
};
