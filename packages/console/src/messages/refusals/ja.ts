import type { RefusalMessages } from './en.ts';

export const ja: RefusalMessages = {
  intro:
    '認可リクエストの URL (またはクエリ)、アクセストークン、リフレッシュトークン、ID トークン、ログアウトトークン、クライアントアサーション、リクエストオブジェクト、認可コードを貼り付けてください。貼り付けた内容は保存されず、ログにも URL にも残りません。',
  field: 'URL またはトークン',
  check: '確認する',
  again: '別のものを確認する',
  refused: '検査「{check}」により拒否されました',
  accepted: 'すべての検査に合格しました。',
  undecided: '不合格の検査はありません。ここでは判断できない検査があります。',
  caption: '検査 (サーバーの順)',
  toDo: '対処方法',
  answer: 'サーバーの応答',
  toClient: 'クライアントのリダイレクト URI に送られました。',
  toUser: '安全なリダイレクト URI がないため、ユーザーにはエラーページで表示されます。',
  content: '内容',
  kinds: {
    request: '認可リクエスト',
    accessToken: 'アクセストークン',
    refreshToken: 'リフレッシュトークン',
    idToken: 'ID トークン',
    logoutToken: 'ログアウトトークン',
    clientAssertion: 'クライアントアサーション',
    code: '認可コード',
    unknown: '不明な文字列',
  },
  columns: { check: '検査', result: '結果', given: '送られた値', expected: '受け付ける値', reference: '参照' },
  results: { passed: '合格', failed: '不合格', skipped: '未到達', unknown: 'ここでは判断できません' },
  checks: {
    kind: {
      name: 'リクエストまたはトークンである',
      remedy: 'URL、クエリ、トークンの全体を貼り付けてください。ほかのサーバーのトークンはここでは不明です。',
    },
    endpoint: {
      name: 'このイシュアーの認可エンドポイントの URL である',
      remedy:
        'ディスカバリー文書の authorization_endpoint を使ってください。スラッシュの不足、別のホスト、https でない http は別のエンドポイントです。',
    },
    flow: {
      name: 'フローを開始する URL である',
      remedy: 'この URL は別のブラウザーのフローを続けるもので、一度だけ使えます。クライアントからやり直してください。',
    },
    limits: {
      name: 'パラメーターの長さと文字',
      remedy: 'パラメーターを短くするか、POST または PAR で送ってください。制御文字は使えません。',
    },
    clientId: {
      name: 'client_id が一つある',
      remedy: 'client_id を一度だけ送ってください。リクエストオブジェクトを使う場合も必要です。',
    },
    client: {
      name: 'クライアントが登録されている',
      remedy:
        'client_id をクライアントの一覧と比べてください。削除されたクライアントや別のイシュアーのクライアントは不明です。',
    },
    redirectUri: {
      name: 'redirect_uri が登録されている',
      remedy:
        'この redirect_uri をそのまま登録してください。スキーム、ホスト、ポート、パス、スラッシュ、大文字小文字を文字列として比べます。',
    },
    once: {
      name: 'パラメーターが重複していない',
      remedy: '各パラメーターを一度だけ送ってください。重複できるのは resource だけです。',
    },
    requestSource: {
      name: 'request と request_uri の一方だけである',
      remedy: 'リクエストオブジェクトは値か参照のどちらか一方で送ってください。',
    },
    requestObject: {
      name: 'リクエストオブジェクトが受け付けられる',
      remedy:
        'クライアントの登録済みの鍵とアルゴリズムで署名し、iss、aud、exp、nbf を確認してください。request_uri を登録するか、PAR を使ってください。',
    },
    pushed: {
      name: 'PAR で送られたリクエスト',
      remedy:
        'パラメーターは送信時に検査済みです。request_uri は送ったクライアントが一度だけ使え、すぐに期限が切れます。使用済みになるため、ここでは開きません。',
    },
    pushedOnly: {
      name: 'PAR なしのリクエストが許可されている',
      remedy: '/oauth2/par に送るか、クライアントの require_pushed_authorization_requests を無効にしてください。',
    },
    signedOnly: {
      name: '署名のないリクエストが許可されている',
      remedy:
        '署名したリクエストオブジェクトを送るか、クライアントの require_signed_request_object を無効にしてください。',
    },
    responseTypeOffered: {
      name: 'response_type がサーバーで有効',
      remedy:
        'サーバーはこのレスポンスタイプを有効にしていません。features.implicit.enabled または features.hybrid.enabled を設定するか、response_type=code を送ってください。',
    },
    responseType: {
      name: 'response_type が登録されている',
      remedy: 'response_type=code を送るか、レスポンスタイプを登録してください。',
    },
    responseMode: {
      name: 'response_mode が許可されている',
      remedy: 'response_mode を省くか、トークンを含む応答には form_post または fragment を使ってください。',
    },
    registration: {
      name: 'リクエストでクライアントを登録していない',
      remedy: '最初のリクエストの前にクライアントを登録し、registration を省いてください。',
    },
    replay: {
      name: 'nonce または state がある',
      remedy:
        '認可エンドポイントで ID トークンを求めるたびに新しい乱数の nonce を送ってください。FAPI 1.0 では openid がなければ state が必要です。',
    },
    prompt: {
      name: 'prompt が既知である',
      remedy: 'login、consent、select_account、create、none を使ってください。none は単独で使います。',
    },
    scopeSyntax: {
      name: 'scope が RFC 6749 の書式である',
      remedy: 'スコープは空白一つで区切ってください。引用符やバックスラッシュなどは使えません。',
    },
    openid: {
      name: '必要な場合に openid スコープがある',
      remedy: 'scope に openid を加えるか、OpenID Connect だけのパラメーターを省いてください。',
    },
    pkce: {
      name: 'PKCE チャレンジ',
      remedy:
        'code_challenge (43 から 128 文字) を code_challenge_method=S256 とともに送ってください。plain は拒否されます。',
    },
    claims: {
      name: 'claims パラメーター',
      remedy:
        'claims は id_token または userinfo を持つ JSON オブジェクトです。userinfo にはアクセストークンが必要です。',
    },
    details: {
      name: 'authorization_details',
      remedy: 'authorization_details は JSON のリストです。各タイプの設定とクライアントへの登録が必要です。',
    },
    resource: {
      name: 'リソースが登録されている',
      remedy: 'resource はフラグメントのない絶対 URI で、resources の設定とクライアントのオーディエンスに必要です。',
    },
    hint: {
      name: 'id_token_hint がこのクライアントの ID トークンである',
      remedy: 'このクライアントに発行された ID トークンを送るか、省いてください。',
    },
    scope: {
      name: 'クライアントにスコープが登録されている',
      remedy: 'スコープをクライアントに加えるか、要求しないでください。',
    },
    audience: {
      name: 'クライアントにオーディエンスが登録されている',
      remedy: 'オーディエンスをクライアントに加えるか、要求しないでください。',
    },
    maxAge: { name: 'max_age が秒数である', remedy: 'max_age は 0 以上の数字だけで送ってください。' },
    other: {
      name: 'サーバーのほかの検査',
      remedy: 'サーバーのエラーが問題を示します。文書のエラー一覧で各コードを説明しています。',
    },
    format: {
      name: 'トークンの書式',
      remedy: 'トークンが途中で切れたか、変更されたか、別のサーバーのものです。最初と最後の文字を比べてください。',
    },
    algorithm: {
      name: 'トークンが受け付けられるアルゴリズムで署名されている',
      remedy: 'none と HMAC は拒否されます。登録済みのアルゴリズムを使ってください。',
    },
    keySource: {
      name: 'クライアントの鍵が分かっている（jwks または jwks_uri）',
      remedy:
        '鍵を jwks として登録するか、jwks_uri が JWKS を返すようにしてください。https で、公開アドレスまたは outbound.allow のホストである必要があります。結果が判断できない場合、このコンソールは鍵を取得しません。carnet serve か carnet console のコンソールを使ってください。',
    },
    key: {
      name: '鍵 (kid) が公開されている',
      remedy: 'ローテーション後に削除された鍵か、別のイシュアーの鍵です。新しいトークンを取得してください。',
    },
    signature: { name: '署名', remedy: 'トークンが変更されたか、別の鍵で署名されています。' },
    issuer: {
      name: 'イシュアー (iss)',
      remedy: 'iss はこのサーバーのイシュアー URL、クライアントアサーションでは client_id と一致する必要があります。',
    },
    times: {
      name: '時刻 (exp, nbf, iat)',
      remedy: 'トークンは期限切れか、まだ有効でないか、時刻がありません。時計を比べ、新しいものを取得してください。',
    },
    tokenAudience: {
      name: 'オーディエンス (aud)',
      remedy: 'トークンは別の受信者のものです。クライアントを登録するか、本来の場所で使ってください。',
    },
    typeRules: {
      name: 'この種類のトークンのクレーム',
      remedy:
        'ログアウトトークンにはイベントがあり nonce はありません。ID トークンには sub があります。種類の違うトークンは拒否されます。',
    },
    tokenClient: {
      name: 'トークンのクライアントが登録されている',
      remedy: '削除されたクライアントにトークンはありません。再登録し、新しいトークンを取得してください。',
    },
    active: {
      name: 'トークンが有効である',
      remedy:
        '許可とともに失効したか、使用済み (リフレッシュトークン) か、期限切れか、クライアントが再登録されました。クライアントのイベントで確認できます。',
    },
    codeUse: {
      name: 'コードが期限内に一度だけ本来のクライアントで使われる',
      remedy:
        'コードは一度だけ使え、すぐに期限が切れ、クライアント、リダイレクト URI、PKCE の検証値に結び付いています。理由は token.refused のイベントにあります。',
    },
    method: {
      name: 'クライアントが private_key_jwt で登録されている',
      remedy: 'token_endpoint_auth_method を private_key_jwt にするか、登録どおりに認証してください。',
    },
    assertionId: {
      name: 'アサーションに ID (jti) がある',
      remedy: 'アサーションごとに新しい乱数の jti を送ってください。',
    },
    assertionUse: {
      name: 'アサーションが未使用である',
      remedy: '各アサーションは一度だけ使えます。リクエストごとに新しく署名してください。',
    },
  },
};
