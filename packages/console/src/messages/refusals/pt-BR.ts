import type { RefusalMessages } from './en.ts';

export const ptBR: RefusalMessages = {
  intro:
    'Cole a URL de uma requisição de autorização (ou sua query), um token de acesso, de renovação, de identidade ou de logout, uma asserção de cliente, um objeto de requisição ou um código de autorização. O texto colado não é armazenado, não é registrado e não é posto em uma URL.',
  field: 'URL ou token',
  check: 'Verificar',
  again: 'Verificar outra coisa',
  refused: 'Recusada pela verificação “{check}”',
  accepted: 'Todas as verificações passam.',
  undecided: 'Nenhuma verificação falha. Algumas não podem ser decididas aqui.',
  caption: 'As verificações, na ordem do servidor',
  toDo: 'O que fazer',
  answer: 'Resposta do servidor',
  toClient: 'Foi enviada à URI de redirecionamento do cliente.',
  toUser: 'Os usuários a veem em uma página de erro, porque não há URI de redirecionamento segura.',
  content: 'Conteúdo',
  kinds: {
    request: 'Requisição de autorização',
    accessToken: 'Token de acesso',
    refreshToken: 'Token de renovação',
    idToken: 'Token de identidade',
    logoutToken: 'Token de logout',
    clientAssertion: 'Asserção de cliente',
    code: 'Código de autorização',
    unknown: 'Texto desconhecido',
  },
  columns: {
    check: 'Verificação',
    result: 'Resultado',
    given: 'Recebido',
    expected: 'Esperado',
    reference: 'Referência',
  },
  results: { passed: 'passou', failed: 'falhou', skipped: 'não alcançada', unknown: 'não pode ser decidida aqui' },
  checks: {
    kind: {
      name: 'O texto é uma requisição ou um token',
      remedy: 'Cole uma URL, query ou token inteiro. Um token de outro servidor é desconhecido aqui.',
    },
    endpoint: {
      name: 'A URL é o endpoint de autorização deste emissor',
      remedy:
        'Use authorization_endpoint do documento de descoberta. Uma barra a menos, outro host ou http em vez de https é outro endpoint.',
    },
    flow: {
      name: 'A URL começa um fluxo',
      remedy: 'Esta URL continua o fluxo de outro navegador e é usada uma vez. Comece de novo no cliente.',
    },
    limits: {
      name: 'Tamanhos e caracteres dos parâmetros',
      remedy: 'Encurte o parâmetro, envie a requisição por POST ou por PAR. Caracteres de controle não são permitidos.',
    },
    clientId: {
      name: 'client_id é dado uma vez',
      remedy: 'Envie client_id uma vez, também ao lado do objeto de requisição.',
    },
    client: {
      name: 'O cliente está registrado',
      remedy: 'Compare client_id com a lista de clientes. Um cliente excluído ou de outro emissor é desconhecido.',
    },
    redirectUri: {
      name: 'redirect_uri está registrada',
      remedy:
        'Registre exatamente esta redirect_uri: esquema, host, porta, caminho, barra e maiúsculas são comparados como texto.',
    },
    once: {
      name: 'Nenhum parâmetro é repetido',
      remedy: 'Envie cada parâmetro uma vez. Só resource pode ser repetido.',
    },
    requestSource: {
      name: 'Só request ou request_uri',
      remedy: 'Envie o objeto de requisição por valor ou por referência, não ambos.',
    },
    requestObject: {
      name: 'O objeto de requisição é aceito',
      remedy:
        'Assine-o com uma chave e um algoritmo registrados do cliente; confira iss, aud, exp e nbf. Registre uma request_uri ou use PAR.',
    },
    pushed: {
      name: 'A requisição enviada por PAR',
      remedy:
        'Seus parâmetros foram verificados no envio. request_uri é usada uma vez, pelo seu cliente, e expira logo. Ela não é aberta aqui, porque seria gasta.',
    },
    pushedOnly: {
      name: 'O cliente pode pedir sem PAR',
      remedy: 'Envie a requisição a /oauth2/par ou desligue require_pushed_authorization_requests do cliente.',
    },
    signedOnly: {
      name: 'O cliente pode enviar requisições sem assinatura',
      remedy: 'Envie um objeto de requisição assinado ou desligue require_signed_request_object do cliente.',
    },
    responseTypeOffered: {
      name: 'O servidor habilita response_type',
      remedy:
        'O servidor não habilita este tipo de resposta: configure features.implicit.enabled ou features.hybrid.enabled, ou envie response_type=code.',
    },
    responseType: {
      name: 'response_type está registrado',
      remedy: 'Envie response_type=code ou registre o tipo de resposta.',
    },
    responseMode: {
      name: 'response_mode é permitido',
      remedy: 'Omita response_mode, ou use form_post ou fragment para respostas com tokens.',
    },
    registration: {
      name: 'A requisição não registra um cliente',
      remedy: 'Registre o cliente antes da primeira requisição e omita registration.',
    },
    replay: {
      name: 'nonce ou state está presente',
      remedy:
        'Envie um nonce aleatório novo com cada requisição de um token de identidade no endpoint de autorização; FAPI 1.0 precisa de state sem openid.',
    },
    prompt: {
      name: 'prompt é conhecido',
      remedy: 'Use login, consent, select_account, create ou none. none deve ficar sozinho.',
    },
    scopeSyntax: {
      name: 'scope está escrito segundo a RFC 6749',
      remedy: 'Separe os scopes por um espaço. Aspas, barras invertidas e outros caracteres não são permitidos.',
    },
    openid: {
      name: 'O scope openid é pedido onde é preciso',
      remedy: 'Adicione openid ou omita os parâmetros que só o OpenID Connect define.',
    },
    pkce: {
      name: 'O desafio PKCE',
      remedy: 'Envie code_challenge (43 a 128 caracteres) com code_challenge_method=S256. plain é recusado.',
    },
    claims: {
      name: 'O parâmetro claims',
      remedy: 'claims é um objeto JSON com id_token ou userinfo. userinfo precisa de um token de acesso.',
    },
    details: {
      name: 'Os authorization_details',
      remedy: 'authorization_details é uma lista JSON. Cada tipo deve estar configurado e registrado para o cliente.',
    },
    resource: {
      name: 'O recurso está registrado',
      remedy: 'resource é uma URI absoluta sem fragmento, configurada em resources e na audiência do cliente.',
    },
    hint: {
      name: 'id_token_hint é um token de identidade deste cliente',
      remedy: 'Envie um token de identidade emitido para este cliente ou omita a dica.',
    },
    scope: { name: 'O cliente está registrado para os scopes', remedy: 'Adicione o scope ao cliente ou não o peça.' },
    audience: {
      name: 'O cliente está registrado para a audiência',
      remedy: 'Adicione a audiência ao cliente ou não a peça.',
    },
    maxAge: { name: 'max_age é um número de segundos', remedy: 'Envie max_age só em dígitos, 0 ou maior.' },
    other: {
      name: 'Outra verificação do servidor',
      remedy: 'O erro do servidor nomeia o problema. A lista de erros da documentação explica cada código.',
    },
    format: {
      name: 'O formato do token',
      remedy:
        'O token foi cortado, alterado ou emitido por outro servidor. Compare os primeiros e os últimos caracteres.',
    },
    algorithm: {
      name: 'O token está assinado com um algoritmo aceito',
      remedy: 'none e HMAC são recusados. Use o algoritmo registrado.',
    },
    keySource: {
      name: 'As chaves do cliente são conhecidas (jwks ou jwks_uri)',
      remedy:
        'Registre as chaves como jwks, ou faça jwks_uri responder com um JWKS: por https, em um endereço público ou um host de outbound.allow. Se o resultado ficar em aberto, este console não busca chaves: use o de carnet serve ou carnet console.',
    },
    key: {
      name: 'A chave (kid) está publicada',
      remedy: 'A chave foi retirada após uma rotação ou é de outro emissor. Obtenha um novo token.',
    },
    signature: { name: 'A assinatura', remedy: 'O token foi alterado ou assinado com outra chave.' },
    issuer: {
      name: 'O emissor (iss)',
      remedy: 'iss é exatamente a URL de emissor deste servidor ou, em uma asserção, seu client_id.',
    },
    times: {
      name: 'Os tempos (exp, nbf, iat)',
      remedy: 'O token expirou, ainda não é válido ou não nomeia um tempo. Compare os relógios e obtenha um novo.',
    },
    tokenAudience: {
      name: 'A audiência (aud)',
      remedy: 'O token é para outro receptor. Registre o cliente ou use o token onde ele pertence.',
    },
    typeRules: {
      name: 'Os claims deste tipo de token',
      remedy:
        'Um token de logout tem o evento e não tem nonce; um token de identidade tem sub. Um token de um tipo é recusado como outro.',
    },
    tokenClient: {
      name: 'O cliente do token está registrado',
      remedy: 'Um cliente excluído não tem tokens. Registre-o de novo e obtenha novos tokens.',
    },
    active: {
      name: 'O token está ativo',
      remedy:
        'Foi revogado com sua concessão, já foi usado (renovação), expirou ou seu cliente foi registrado de novo. Os eventos do cliente mostram.',
    },
    codeUse: {
      name: 'O código é trocado uma vez, a tempo, pelo seu cliente',
      remedy:
        'Um código é usado uma vez, expira logo e está ligado ao cliente, à URI de redirecionamento e ao verificador PKCE. Os eventos token.refused nomeiam o motivo.',
    },
    method: {
      name: 'O cliente está registrado para private_key_jwt',
      remedy: 'Defina token_endpoint_auth_method como private_key_jwt ou autentique como registrado.',
    },
    assertionId: { name: 'A asserção tem um id (jti)', remedy: 'Envie um jti aleatório novo com cada asserção.' },
    assertionUse: {
      name: 'A asserção não foi usada antes',
      remedy: 'Cada asserção é aceita uma vez. Assine uma nova para cada requisição.',
    },
  },
};
