import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import type { CreateApp } from './settings.ts';

export const createApp: CreateApp = ({ issuer, clientId, clientSecret, baseUrl, sessionSecret }) => {
  const authenticator = new passport.Passport();
  // docs: settings
  const strategy = new OpenIDConnectStrategy(
    {
      issuer,
      authorizationURL: `${issuer}/oauth2/auth`,
      tokenURL: `${issuer}/oauth2/token`,
      userInfoURL: `${issuer}/userinfo`,
      clientID: clientId,
      clientSecret,
      callbackURL: `${baseUrl}/oauth2/redirect`,
      scope: ['profile', 'email'],
    },
    (_issuer: string, profile: passport.Profile, done: OpenIDConnectStrategy.VerifyCallback) => done(null, profile),
  );
  // docs: end
  authenticator.use(strategy);
  authenticator.serializeUser((user, done) => done(null, user));
  authenticator.deserializeUser((user: Express.User, done) => done(null, user));

  const app = express();
  app.use(session({ secret: sessionSecret, resave: false, saveUninitialized: false }));
  app.use(authenticator.session());
  app.get('/', (req, res) => void res.status(req.user ? 200 : 401).json(req.user ?? null));
  app.get('/login', authenticator.authenticate('openidconnect'));
  app.get('/oauth2/redirect', authenticator.authenticate('openidconnect', { successRedirect: '/' }));
  app.get('/logout', (req, res, next) => req.logout((error) => (error ? next(error) : res.redirect('/'))));
  return app;
};
