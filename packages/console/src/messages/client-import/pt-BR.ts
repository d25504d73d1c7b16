import type { ClientImportMessages } from './en.ts';

export const ptBR: ClientImportMessages = {
  title: 'Importar clientes',
  about:
    'Envie clientes em JSON: um cliente, uma lista ou um cliente por linha. Exportações do Hydra e de outros servidores são aceitas, também com hashes no lugar de segredos.',
  file: 'Arquivo',
  fileHint: 'No máximo {size} e {clients} clientes.',
  lenient: 'Omitir os membros que o servidor recusa',
  lenientHint:
    'Caso contrário, o cliente é recusado. Nos dois casos, client_credentials é omitido de um cliente que não se autentica. O resultado indica cada membro omitido.',
  check: 'Verificar o arquivo',
  checking: 'Verificação do arquivo',
  checkHint:
    'A verificação encontra valores incorretos e identificadores que já existem. O servidor tem outras regras, que aplica ao registrar um cliente.',
  submit: 'Iniciar a importação',
  importing: 'Importação de clientes',
  stay: 'Mantenha esta página aberta até o resultado aparecer. Se você sair dela, a importação para. Os clientes já registrados permanecem, e outra importação do arquivo continua com os demais.',
  stop: 'Parar',
  progress: 'Progresso',
  step: '{done} de {all}',
  result: 'Resultado',
  outcomes: {
    ready: 'Pode ser importado',
    created: 'Criado',
    existing: 'Já existe, não alterado',
    refused: 'Recusado',
    skipped: 'Não tentado',
  },
  secret: 'Segredo do cliente: {secret}',
  newSecrets:
    'Clientes sem segredo no arquivo: {count}. A importação gera novos segredos para eles, e seus aplicativos param de funcionar até que você os altere lá. Uma segunda importação não altera nenhum segredo. Para manter os segredos, pare aqui e exporte os hashes: consulte o guia “Coming from Ory Hydra”, passo 5. Caso contrário, copie cada novo segredo do resultado: ele é mostrado uma única vez.',
  needsSecret: 'O arquivo não tem um segredo para ele: a importação gera um novo.',
  secretsOnce: 'Copie agora os segredos acima: eles não serão mostrados novamente.',
  nothing: 'Não há nada para importar.',
  top: 'Voltar ao início',
  repeated: 'O arquivo tem outro cliente com este identificador antes deste.',
  noId: 'Ele não tem client_id: recebe um novo em cada importação.',
  again: 'Outro arquivo',
  problems: {
    notJson: 'O arquivo não é JSON válido.',
    notJsonLine: 'A linha {line} do arquivo não é JSON válido.',
    notObjects: 'Cada cliente do arquivo deve ser um objeto JSON.',
    notUtf8: 'O arquivo não é UTF-8. Salve o arquivo como UTF-8.',
    onePage:
      'O arquivo tem uma página de uma lista maior (is_last_page é false ou next_page_token tem um valor). Exporte todas as páginas.',
    empty: 'O arquivo não tem nenhum cliente.',
    tooMany: 'O arquivo tem {count} clientes. No máximo {most} são importados por vez: divida o arquivo.',
    running: 'Outra importação está em andamento. Espere o resultado ou pare-a.',
  },
};
