import type { ReactNode } from 'react';
import type { Messages } from '../en.ts';
import { plural } from '../plural.ts';
import { rich } from '../rich.ts';

const minutes = plural('fr', { one: 'une minute', other: '# minutes' });

export const signInPages = {
  login: {
    title: 'Se connecter',
    to: (client: ReactNode) => rich`pour continuer vers ${client}`,
    name: 'E-mail ou nom d’utilisateur',
    password: 'Mot de passe',
    showPassword: 'Afficher le mot de passe',
    remember: 'Rester connecté sur cet appareil',
    rememberDetail: 'Propose votre compte ici la prochaine fois.',
    submit: 'Se connecter',
    next: 'Continuer',
    cancel: 'Annuler',
    or: 'ou',
    notYou: 'Ce n’est pas vous ?',
    useAnother: 'Utiliser un autre compte',
    wrong: 'Nom d’utilisateur ou mot de passe incorrect.',
    tooMany: (count: number) => `Trop de tentatives. Réessayez dans ${minutes(count)}.`,
  },
  emailSignIn: {
    send: 'Recevoir plutôt un code par e-mail',
    title: 'Saisissez le code de l’e-mail',
    text: 'Si ce compte existe et que son adresse e-mail est confirmée, nous y avons envoyé un code. L’e-mail peut mettre une minute à arriver.',
    usedUp: 'Un code erroné a été saisi trop souvent. Envoyez un nouveau code.',
    expired: 'Ce code a expiré. Demandez-en un autre.',
    nameMissing: 'Saisissez votre adresse e-mail ou votre nom d’utilisateur.',
    noPassword: 'Laissez-le vide pour vous connecter avec des codes par e-mail.',
  },
  chooser: {
    title: 'Choisissez un compte',
    forget: (account: string) => `Retirer ${account} de cet appareil`,
  },
  consent: {
    title: (client: string) => `Autoriser ${client} ?`,
    heading: 'Autoriser l’accès ?',
    wants: (client: ReactNode) => rich`${client} souhaite utiliser votre compte.`,
    wantsForDevice: (client: ReactNode) =>
      rich`${client} souhaite utiliser votre compte sur l’appareil dont vous avez saisi le code.`,
    publishedBy: (host: ReactNode) => rich`Publié par ${host}.`,
    returnTo: (receiver: ReactNode) => rich`Vous retournerez vers : ${receiver}.`,
    app: (scheme: string) => `une application sur cet appareil (${scheme})`,
    thisComputer: (host: string) => `cet ordinateur (${host})`,
    localCaution:
      'Cette application s’exécute sur votre ordinateur, où tout programme peut utiliser son nom. ' +
      'N’autorisez l’accès que si vous avez lancé la connexion vous-même.',
    deviceCaution:
      'N’autorisez l’accès que si l’appareil est le vôtre et que vous avez lancé la demande vous-même. ' +
      'Ne le faites jamais parce qu’on vous l’a demandé.',
    willAllow: (client: string) => `Cela permettra à ${client} de`,
    willShare: (client: string, claims: string) => `${client} recevra aussi ces informations : ${claims}.`,
    remember: 'Ne plus me demander',
    allow: 'Autoriser l’accès',
    deny: 'Refuser',
    privacy: 'Politique de confidentialité',
    terms: 'Conditions d’utilisation',
  },
  organizations: {
    title: 'Choisissez une organisation',
    text: 'Vous appartenez à plusieurs organisations. Pour laquelle voulez-vous vous connecter ?',
  },
  scopes: {
    openid: 'Savoir qui vous êtes',
    profile: 'Voir votre nom et votre profil',
    email: 'Voir votre adresse e-mail',
    address: 'Voir votre adresse postale',
    phone: 'Voir votre numéro de téléphone',
    offline_access: 'Conserver l’accès en votre absence',
    groups: 'Voir vos groupes',
    roles: 'Voir vos rôles',
    organization: 'Voir l’organisation pour laquelle vous vous connectez',
  },
  claims: {
    name: 'nom',
    family_name: 'nom de famille',
    given_name: 'prénom',
    middle_name: 'deuxième prénom',
    nickname: 'surnom',
    preferred_username: 'nom d’utilisateur',
    profile: 'page de profil',
    picture: 'photo',
    website: 'site web',
    gender: 'genre',
    birthdate: 'date de naissance',
    zoneinfo: 'fuseau horaire',
    locale: 'langue',
    updated_at: 'date de la dernière modification',
    email: 'adresse e-mail',
    email_verified: 'si l’adresse e-mail est confirmée',
    address: 'adresse postale',
    phone_number: 'numéro de téléphone',
    phone_number_verified: 'si le numéro de téléphone est confirmé',
    groups: 'les groupes',
    roles: 'les rôles',
  },
  device: {
    title: 'Connecter un appareil',
    confirmTitle: 'Est-ce le code affiché sur votre appareil ?',
    lead: 'Saisissez le code que votre appareil affiche.',
    confirmLead: 'Comparez-le avec le code de votre appareil avant de continuer.',
    code: 'Code',
    caution:
      'Ne continuez que si vous avez lancé la demande sur votre propre appareil. Si quelqu’un vous a envoyé le code ou ' +
      'le lien, fermez cette page : cette personne obtiendrait l’accès à votre compte.',
    submit: 'Continuer',
    confirmSubmit: 'Oui, continuer',
    wrong:
      'Aucun appareil n’a ce code. Les codes expirent après quelques minutes : vérifiez le code ou demandez-en un autre.',
    tooMany:
      'Trop de codes ont été saisis. Patientez un instant, puis recommencez à l’adresse que votre appareil affiche.',
    requestedBy: 'Application',
    requestedAt: 'Demandé',
    requestedFrom: 'Depuis',
    notMe: 'Ce n’était pas moi',
    notMeTitle: 'Rien n’a été connecté',
    notMeText:
      'Quelqu’un vous a peut-être envoyé le lien ou le code pour accéder à votre compte. Fermez cette page et ne saisissez le code nulle part.',
    connectedTitle: 'Votre appareil est connecté',
    connectedText: 'Retournez à votre appareil. Vous pouvez fermer cette page.',
  },
  logout: {
    title: 'Se déconnecter',
    heading: 'Se déconnecter ?',
    asks: (client: ReactNode) => rich`${client} demande à vous déconnecter.`,
    endsSession: 'Cela met fin à votre session sur cet appareil.',
    again: 'Vous devrez vous reconnecter la prochaine fois.',
    submit: 'Se déconnecter',
    stay: 'Rester connecté',
    stayedTitle: 'Vous êtes toujours connecté',
    stayedText: 'Rien n’a changé. Vous pouvez fermer cette page.',
  },
  expired: {
    reason: 'Elle est restée ouverte trop longtemps ou est déjà terminée.',
    signIn: {
      title: 'Cette connexion a expiré',
      label: 'Recommencer',
      withLink: 'Tout va bien : il suffit de recommencer.',
      withoutLink: 'Retournez à l’application et connectez-vous depuis celle-ci.',
      withoutLinkOnDevice: 'Retournez à votre appareil et recommencez depuis celui-ci.',
    },
    signOut: {
      title: 'Cette déconnexion a expiré',
      label: 'Se déconnecter à nouveau',
      withLink: 'Vous êtes peut-être encore connecté : par sécurité, déconnectez-vous à nouveau.',
      withoutLink:
        'Vous êtes peut-être encore connecté : retournez à l’application et déconnectez-vous depuis celle-ci.',
    },
  },
} satisfies Partial<Messages>;
