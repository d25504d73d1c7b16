import type { FactorPages } from './en.ts';

export const factorPages: FactorPages = {
  factors: {
    title: 'Confirmez que c’est bien vous',
    kinds: {
      totp: 'Application d’authentification',
      hotp: 'Jeton à codes',
      pin: 'PIN',
      recovery_code: 'Code de secours',
      passkey: 'Clé d’accès',
      email: 'Code par e-mail',
    },
    prompts: {
      totp: 'Saisissez le code affiché par votre application d’authentification.',
      hotp: 'Saisissez le prochain code de votre jeton.',
      pin: 'Saisissez votre code PIN.',
      recovery_code: 'Saisissez un de vos codes de secours. Chaque code sert une seule fois.',
      passkey: 'Utilisez votre empreinte, votre visage, le verrouillage de l’écran ou une clé de sécurité.',
      email:
        'Nous avons envoyé un code à votre adresse e-mail. Saisissez-le ici. L’e-mail peut mettre une minute à arriver.',
    },
    labels: { totp: 'Code', hotp: 'Code', pin: 'PIN', recovery_code: 'Code de secours', email: 'Code' },
    confirm: 'Confirmer',
    otherMethods: 'Utiliser une autre méthode',
    wrongCode: 'Ce code est incorrect ou a déjà servi. Essayez le suivant.',
    noMoreCodes:
      'Nous ne pouvons pas vous envoyer d’autre code pour le moment. Saisissez le code du dernier e-mail ou réessayez dans une heure.',
    sendNewCode: 'Envoyer un nouveau code',
    wrongEmailCode:
      'Ce code est incorrect ou a déjà été utilisé. Vérifiez le dernier e-mail ou envoyez un nouveau code.',
    startAgain: 'Recommencer',
    limitedTitle: 'Trop de tentatives',
    expiredTitle: 'Cette connexion a pris trop de temps',
    expired: 'Pour votre sécurité, saisissez de nouveau votre mot de passe.',
    refusedTitle: 'La connexion n’a pas abouti',
    refused: 'Recommencez et vérifiez votre saisie.',
  },
  passkeys: {
    signIn: 'Se connecter avec une clé d’accès',
    use: 'Utiliser une clé d’accès',
    needsScript: 'Les clés d’accès ont besoin de JavaScript. Autorisez-le pour ce site, ou utilisez une autre méthode.',
    failed: 'La clé d’accès n’a pas été acceptée. Réessayez, ou utilisez une autre méthode.',
    addTitle: 'Ajouter une clé d’accès',
    addText:
      'Votre appareil conserve la clé d’accès. Vous la déverrouillez avec votre empreinte, votre visage ou le verrouillage de l’écran.',
    create: 'Créer une clé d’accès',
    notCreated: 'La clé d’accès n’a pas été créée. Réessayez.',
    known: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  },
  enrolment: {
    title: 'Protégez votre compte',
    required: 'Votre mot de passe seul ne suffit pas ici. Ajoutez un second moyen de confirmer votre identité.',
    optional: 'Un second moyen de confirmer votre identité protège votre compte en cas de vol du mot de passe.',
    choices: {
      totp: 'Avec une application du téléphone qui affiche des codes',
      hotp: 'Avec un jeton qui affiche un nouveau code à chaque pression',
      passkey: 'Avec votre empreinte, votre visage ou le verrouillage de l’écran',
    },
    skip: 'Pas maintenant',
    appTitle: 'Configurer votre application d’authentification',
    scan: 'Scannez ce code avec l’application.',
    qrCode: 'Code QR pour l’application d’authentification',
    secret: 'Pas d’appareil photo ? Saisissez cette clé dans l’application :',
    code: 'Code de l’application',
    codeHint: 'L’application l’affiche après le scan.',
    name: 'Nom',
    nameHint: 'Facultatif, par exemple « Téléphone »',
    confirm: 'Confirmer',
    back: 'Retour',
    wrongCode:
      'Ce code est incorrect. Vérifiez l’heure du téléphone et saisissez le code affiché maintenant par l’application.',
  },
  recoveryCodes: {
    title: 'Conservez vos codes de secours',
    text: 'Si vous perdez votre appareil, un code de secours vous permet de vous connecter. Chaque code sert une seule fois.',
    once: 'Les codes ne sont affichés que maintenant. Imprimez cette page, ou gardez-les avec vos mots de passe.',
    list: 'Codes de secours',
    download: 'Télécharger en fichier texte',
    saved: 'J’ai conservé les codes',
  },
  newPassword: {
    title: 'Choisissez un nouveau mot de passe',
    text: 'Vous devez changer votre mot de passe avant de vous connecter.',
    current: 'Mot de passe actuel',
    next: 'Nouveau mot de passe',
    hint: (length: number) =>
      `Au moins ${length} caractères. Ni mot de passe courant, ni suite comme abcdefgh, ni votre nom.`,
    save: 'Enregistrer le mot de passe',
    weak: 'Choisissez un autre mot de passe. Sont refusés : les mots de passe courts ou courants, ceux de fuites de données connues, les suites comme abcdefgh, ainsi que votre nom, votre identifiant et le nom de ce site.',
    wrong: 'Le mot de passe actuel est incorrect.',
  },
};
