import type { Messages } from '../en.ts';

export const sitePages = {
  language: { label: 'Langue', change: 'Changer' },
  help: 'Aide',
  home: {
    title: 'Rien à faire ici',
    text: 'Les applications vous dirigent vers ce site pour vous connecter. Ouvrez l’application que vous voulez utiliser et connectez-vous depuis celle-ci.',
  },
  error: {
    title: 'La demande a échoué',
    home: 'Accueil',
    account: 'Votre compte',
    requestId: 'Requête',
    code: 'Erreur',
    reported: 'Motif signalé',
    unknown: 'La demande n’a pas pu aboutir. Retournez à l’application et réessayez.',
    codes: {
      access_denied: 'L’accès a été refusé.',
      invalid_request: 'L’application a envoyé une demande non valide.',
      invalid_client: 'Ce service ne connaît pas l’application.',
      invalid_scope: 'L’application a demandé un accès qu’elle n’a pas le droit de demander.',
      invalid_redirect_uri: 'L’application a demandé une redirection vers une adresse qu’elle n’a pas enregistrée.',
      unauthorized_client: 'Cette application ne peut pas utiliser ce mode de connexion.',
      unsupported_response_type: 'Cette application ne peut pas utiliser ce mode de connexion.',
      login_required: 'Vous devez d’abord vous connecter.',
      consent_required: 'Vous devez d’abord autoriser l’accès.',
      request_forbidden: 'Cette connexion a commencé dans un autre navigateur, ou ses cookies ont été bloqués.',
      temporarily_unavailable: 'Le service est surchargé. Réessayez dans un instant.',
      server_error: 'Le service a rencontré une erreur interne.',
    },
  },
  retry: 'Réessayer',
  problems: {
    missing_challenge: {
      title: 'Ce lien n’est pas valide',
      text: 'Il est peut-être incomplet. Retournez à l’application et connectez-vous depuis celle-ci.',
    },
    invalid_link: {
      title: 'Ce lien n’est pas valide',
      text: 'Il est peut-être incomplet ou a été ouvert dans un autre navigateur. Retournez à l’application et connectez-vous depuis celle-ci.',
    },
    forged_form: {
      title: 'Ce formulaire n’est plus à jour',
      text: 'La page a expiré ou les cookies sont bloqués. Rechargez-la et réessayez.',
    },
    invalid_form: {
      title: 'Ce formulaire est illisible',
      text: 'Un champ manquait, était répété ou trop long. Ouvrez à nouveau le formulaire.',
    },
    api_unavailable: {
      title: 'Connexion impossible pour le moment',
      text: 'Le service ne répond pas. Patientez un instant et réessayez.',
    },
    api_refused: {
      title: 'La connexion n’a pas abouti',
      text: 'Le service n’a pas accepté la réponse de cette page. Si cela se reproduit, contactez l’exploitant de ce site.',
    },
    foreign_redirect: {
      title: 'Vous n’avez pas été connecté',
      text: 'L’étape suivante menait à un site inconnu. Par sécurité, vous n’y avez pas été dirigé.',
    },
    directory_unavailable: {
      title: 'Connexion impossible pour le moment',
      text: 'Nous n’avons pas pu vérifier votre compte. Patientez un instant et réessayez.',
    },
    server_error: { title: 'Une erreur s’est produite', text: 'Ce n’est pas votre faute. Réessayez.' },
  },
} satisfies Partial<Messages>;
