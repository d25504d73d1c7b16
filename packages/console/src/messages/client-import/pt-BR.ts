import type { ClientImportMessages } from './en.ts';

export const ptBR: ClientImportMessages = {
  title: 'Importar clientes',
  about:
    'Envie clientes em JSON: um cliente, uma lista ou um cliente por linha. Exportações do Hydra e de outros servidores são aceitas, também com hashes no lugar de segredos.',
  file: 'Arquivo',
  fileHint: 'No máximo {size} e {clients} clientes.',
  lenient: 'Omitir os membros que o servidor recusa',
  lenientHint: 'Caso contrário, o cliente inteiro é recusado. O resultado indica cada membro omitido.',
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
  repeated: 'O arquivo tem outro cliente com este identificador antes deste.',
  noId: 'Ele não tem client_id: recebe um novo em cada importação.',
  again: 'Outro arquivo',
  problems: {
    notJson: 'O arquivo não é JSON válido.',
    notJsonLine: 'A linha {line} do arquivo não é JSON válido.',
    notObjects: 'Cada cliente do arquivo deve ser um objeto JSON.',
    empty: 'O arquivo não tem nenhum cliente.',
    tooMany: 'O arquivo tem {count} clientes. No máximo {most} são importados por vez: divida o arquivo.',
    running: 'Outra importação está em andamento. Espere o resultado ou pare-a.',
  },
};
