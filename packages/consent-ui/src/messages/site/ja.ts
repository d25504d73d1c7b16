import type { Messages } from '../en.ts';

export const sitePages = {
  language: { label: '言語', change: '変更' },
  help: 'ヘルプ',
  home: {
    title: 'ここですることはありません',
    text: 'アプリケーションからサインインのためにこのサイトに移動します。使いたいアプリケーションを開き、そこからサインインしてください。',
  },
  error: {
    title: 'リクエストに失敗しました',
    home: 'ホーム',
    account: 'あなたのアカウント',
    requestId: 'リクエスト',
    code: 'エラー',
    reported: '報告された理由',
    unknown: 'リクエストを完了できませんでした。アプリケーションに戻り、もう一度お試しください。',
    codes: {
      access_denied: 'アクセスが拒否されました。',
      invalid_request: 'アプリケーションが無効なリクエストを送信しました。',
      invalid_client: 'このサービスに登録されていないアプリケーションです。',
      invalid_scope: 'アプリケーションが、許可されていないアクセスを要求しました。',
      invalid_redirect_uri: 'アプリケーションが、登録されていないアドレスへの移動を要求しました。',
      unauthorized_client: 'このアプリケーションは、この方法でのサインインを使用できません。',
      unsupported_response_type: 'このアプリケーションは、この方法でのサインインを使用できません。',
      login_required: '先にサインインしてください。',
      consent_required: '先にアクセスを許可してください。',
      request_forbidden: 'このサインインは別のブラウザーで始められたか、Cookie がブロックされました。',
      temporarily_unavailable: 'サービスが混み合っています。しばらくしてからもう一度お試しください。',
      server_error: 'サービスで内部エラーが発生しました。',
    },
  },
  retry: 'もう一度試す',
  problems: {
    missing_challenge: {
      title: 'このリンクは無効です',
      text: 'リンクが不完全な可能性があります。アプリケーションに戻り、そこからサインインしてください。',
    },
    invalid_link: {
      title: 'このリンクは無効です',
      text: 'リンクが不完全か、別のブラウザーで開かれた可能性があります。アプリケーションに戻り、そこからサインインしてください。',
    },
    forged_form: {
      title: 'このフォームは期限切れです',
      text: 'ページの期限が切れたか、Cookie がブロックされています。再読み込みして、もう一度お試しください。',
    },
    invalid_form: {
      title: 'このフォームを読み取れませんでした',
      text: '入力欄の不足、重複、または文字数の超過があります。フォームを開き直してください。',
    },
    api_unavailable: {
      title: '現在サインインできません',
      text: 'サービスが応答しません。しばらくしてからもう一度お試しください。',
    },
    api_refused: {
      title: 'サインインできませんでした',
      text: 'サービスがこのページの応答を受け付けませんでした。再び発生する場合は、このサイトの運営者にお問い合わせください。',
    },
    foreign_redirect: {
      title: 'サインインされませんでした',
      text: '次の移動先が不明なサイトだったため、安全のために移動しませんでした。',
    },
    directory_unavailable: {
      title: '現在サインインできません',
      text: 'アカウントを確認できませんでした。しばらくしてからもう一度お試しください。',
    },
    server_error: {
      title: '問題が発生しました',
      text: 'お客様の操作によるものではありません。もう一度お試しください。',
    },
  },
} satisfies Partial<Messages>;
