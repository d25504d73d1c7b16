import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { SignUpPages } from './en.ts';

export const signUpPages: SignUpPages = {
  signUp: {
    title: 'Créer un compte',
    email: 'E-mail',
    name: 'Nom',
    nameHint: 'Facultatif',
    password: 'Mot de passe',
    submit: 'Créer le compte',
    haveAccount: 'Vous avez déjà un compte ?',
    accept: 'J’accepte les conditions d’utilisation.',
    notAccepted: 'Acceptez les conditions d’utilisation pour créer un compte.',
    signIn: 'Se connecter',
    invalidEmail: 'Saisissez une adresse e-mail, par exemple nom@example.com.',
    sentTitle: 'Consultez votre messagerie',
    sent: (email: ReactNode) =>
      rich`Nous avons envoyé un message à ${email}. Ouvrez le lien qu’il contient pour confirmer votre adresse.`,
    sentHint: 'Cela peut prendre une minute. Regardez aussi dans les indésirables.',
    resend: 'Renvoyer le message',
    wrongAddress: 'Mauvaise adresse ?',
    confirmTitle: 'Confirmez votre adresse e-mail',
    confirmText: 'Créez votre compte avec cette adresse.',
    confirmPasswordText: 'Créez votre compte avec cette adresse et choisissez son mot de passe.',
    confirm: 'Confirmer l’adresse',
    confirmedTitle: 'Votre compte est prêt',
    confirmed: (name: ReactNode) => rich`Votre adresse est confirmée, ${name}. Vous pouvez maintenant vous connecter.`,
    registeredTitle: 'Vous avez déjà un compte',
    registered: 'Connectez-vous avec votre mot de passe. Si vous l’avez oublié, choisissez-en un nouveau.',
  },
  recovery: {
    title: 'Mot de passe oublié ?',
    text: 'Saisissez votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
    login: 'E-mail',
    submit: 'Envoyer le lien',
    back: 'Retour à la connexion',
    sentTitle: 'Consultez votre messagerie',
    sent: (login: ReactNode) => rich`S’il existe un compte pour ${login}, nous avons envoyé un message avec un lien.`,
    passwordTitle: 'Choisissez un nouveau mot de passe',
    password: 'Nouveau mot de passe',
    save: 'Enregistrer le mot de passe',
    doneTitle: 'Votre mot de passe est changé',
    done: 'Vous pouvez vous connecter avec le nouveau mot de passe.',
    forgot: 'Mot de passe oublié ?',
    another: 'Demander un autre lien',
  },
  invitation: {
    title: 'Bienvenue',
    text: 'Votre compte est presque prêt. Choisissez un mot de passe pour vous connecter.',
    invalid:
      'Il a déjà été utilisé, il est trop ancien, ou un lien plus récent a été envoyé. Demandez une nouvelle invitation à l’exploitant de ce site.',
  },
  links: {
    invalidTitle: 'Ce lien ne fonctionne plus',
    invalid: 'Il a déjà servi, ou il est trop ancien.',
    limited: 'Trop de tentatives. Attendez quelques minutes, puis réessayez.',
    offTitle: 'Cette page n’est pas disponible',
    off: 'Demandez un compte ou un nouveau mot de passe à l’exploitant de ce site.',
    continue: 'Continuer vers la connexion',
  },
};
