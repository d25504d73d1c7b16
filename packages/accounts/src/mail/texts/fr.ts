import type { MailTexts } from './mail-texts.ts';

export const fr: MailTexts = {
  direction: 'ltr',
  confirmAddress: {
    subject: 'Confirmez votre adresse e-mail pour {product}',
    introduction: 'Confirmez cette adresse e-mail pour créer votre compte sur {product}.',
    action: 'Confirmer l’adresse e-mail',
    note: 'Le lien est valable {duration} et ne peut être utilisé qu’une fois. Si vous n’avez pas demandé d’inscription, ignorez cet e-mail : aucun compte ne sera créé.',
  },
  resetPassword: {
    subject: 'Définissez un nouveau mot de passe pour {product}',
    introduction: 'Vous avez demandé un nouveau mot de passe pour le compte {name} sur {product}.',
    action: 'Définir un nouveau mot de passe',
    note: 'Le lien est valable {duration} et ne peut être utilisé qu’une fois. Si vous ne l’avez pas demandé, ignorez cet e-mail : votre mot de passe ne change pas.',
  },
  invitation: {
    subject: 'Votre compte {product}',
    introduction:
      'Un compte a été créé pour vous sur {product} : {name}. Choisissez un mot de passe pour vous connecter.',
    action: 'Choisir un mot de passe',
    note: 'Le lien est valable {duration} et ne peut être utilisé qu’une fois. Si vous ne connaissez pas {product}, ignorez cet e-mail.',
  },
  signInCode: {
    subject: 'Votre code pour {product}',
    introduction: 'Saisissez ce code pour vous connecter à {product} en tant que {name} :',
    note: 'Le code est valable {duration} et ne peut être utilisé qu’une fois. Ne le communiquez à personne. Si vous n’êtes pas en train de vous connecter, quelqu’un d’autre connaît votre mot de passe : changez-le maintenant.',
  },
  emailSignInCode: {
    subject: 'Votre code pour {product}',
    introduction: 'Saisissez ce code pour vous connecter à {product} en tant que {name} :',
    note: 'Le code est valable {duration} et ne peut être utilisé qu’une fois, dans le navigateur où vous l’avez demandé. Ne le communiquez à personne. Si vous ne l’avez pas demandé, ignorez cet e-mail : sans le code, personne ne peut se connecter.',
  },
  alreadyRegistered: {
    subject: 'Vous avez déjà un compte sur {product}',
    introduction: 'Une inscription sur {product} a été demandée pour cette adresse e-mail, qui a déjà un compte.',
    note: 'Si c’était vous, connectez-vous ou choisissez « Mot de passe oublié ? » sur la page de connexion. Sinon, ignorez cet e-mail : rien n’a changé.',
  },
  confirmNewAddress: {
    subject: 'Confirmez votre nouvelle adresse e-mail pour {product}',
    introduction: 'Vous avez demandé à utiliser cette adresse e-mail pour votre compte sur {product}.',
    action: 'Confirmer l’adresse e-mail',
    note: 'Le lien est valable {duration} et ne peut être utilisé qu’une fois, dans le navigateur où vous l’avez demandé. Si vous ne l’avez pas demandé, ignorez cet e-mail : rien ne change.',
  },
  addressTaken: {
    subject: 'Votre adresse e-mail a déjà un compte sur {product}',
    introduction:
      'Un utilisateur de {product} a demandé à utiliser cette adresse e-mail, qui appartient déjà à un autre compte.',
    note: 'Si c’était vous, connectez-vous avec cette adresse ou choisissez-en une autre. Sinon, ignorez cet e-mail : rien n’a changé.',
  },
  emailChangeRequested: {
    subject: 'Une nouvelle adresse e-mail a été demandée pour votre compte {product}',
    introduction:
      'Une nouvelle adresse e-mail a été demandée pour votre compte {name} sur {product}. Elle remplacera celle-ci dès qu’elle sera confirmée.',
    note: 'Si vous ne l’avez pas demandée, changez maintenant votre mot de passe : la nouvelle adresse ne pourra plus être confirmée.',
  },
  emailChanged: {
    subject: 'L’adresse e-mail de votre compte {product} a été modifiée',
    introduction:
      'L’adresse e-mail {name} de votre compte sur {product} a été remplacée par une autre. Vous vous connectez désormais avec la nouvelle.',
    note: 'Si vous ne l’avez pas modifiée, prévenez maintenant les administrateurs de {product}.',
  },
  passwordChanged: {
    subject: 'Votre mot de passe pour {product} a été modifié',
    introduction: 'Le mot de passe de votre compte {name} sur {product} a été modifié.',
    note: 'Si vous ne l’avez pas modifié, choisissez maintenant « Mot de passe oublié ? » sur la page de connexion pour en définir un nouveau.',
    noteWithoutRecovery: 'Si vous ne l’avez pas modifié, prévenez maintenant les administrateurs de {product}.',
  },
  factorAdded: {
    subject: 'Un moyen de connexion a été ajouté à votre compte {product}',
    introduction: 'Ce moyen de connexion a été ajouté à votre compte {name} sur {product} : {factor}.',
    note: 'Si vous ne l’avez pas ajouté, changez maintenant votre mot de passe et retirez ce moyen de connexion sur la page de votre compte.',
  },
  factorRemoved: {
    subject: 'Un moyen de connexion a été retiré de votre compte {product}',
    introduction: 'Ce moyen de connexion a été retiré de votre compte {name} sur {product} : {factor}.',
    note: 'Si vous ne l’avez pas retiré, changez maintenant votre mot de passe et vérifiez les moyens de connexion sur la page de votre compte.',
  },
  factorsReset: {
    subject: 'Vos seconds facteurs pour {product} ont été retirés',
    introduction:
      'Tous les seconds facteurs et toutes les clés d’accès de votre compte {name} sur {product} ont été retirés par un administrateur.',
    note: 'Si vous ne l’avez pas demandé, changez maintenant votre mot de passe et prévenez les administrateurs de {product}.',
  },
  deletionRequested: {
    subject: 'Votre compte {product} va être supprimé',
    introduction:
      'La suppression de votre compte {name} sur {product} a été demandée. Il sera supprimé le {date}, avec toutes ses données. Vous avez été déconnecté partout.',
    note: 'Pour garder le compte, connectez-vous avant ce jour. Si vous n’avez pas demandé la suppression, gardez le compte et changez votre mot de passe.',
  },
  factors: {
    totp: 'application d’authentification',
    hotp: 'jeton à codes',
    pin: 'PIN',
    recovery_code: 'nouveaux codes de secours',
    passkey: 'clé d’accès',
    email: 'code par e-mail',
  },
};
