import type { ConfigurationMessages } from './en.ts';

export const ptBR: ConfigurationMessages = {
  title: 'Configuração',
  about:
    'Os valores que este processo usa, com a origem de cada um. Os segredos são substituídos. Os processos leem a configuração ao iniciar.',
  search: 'Chave, valor ou descrição',
  only: 'Mostrar',
  all: 'todas as chaves',
  set: 'chaves definidas',
  columns: { key: 'Chave', value: 'Valor', source: 'Origem', description: 'Descrição' },
  sources: { default: 'padrão', file: 'arquivo', 'development mode': 'modo de desenvolvimento' },
  notHere:
    'Somente o console de "carnet serve" mostra a configuração. Execute "carnet config print" ao lado do servidor.',
  unset: 'não definido',
  warnings: 'Avisos e problemas',
  noWarnings: 'Não há nenhum.',
  examine: {
    title: 'De que uma mudança precisaria?',
    about: 'Cole uma configuração, ou linhas como “ttl.accessToken: 1h”. Nada é alterado.',
    text: 'Configuração (YAML ou JSON)',
    scope: 'O texto é',
    scopes: { keys: 'um acréscimo ao arquivo atual', whole: 'o arquivo inteiro' },
    submit: 'Examinar',
    problems: 'Problemas',
    noProblems: 'A configuração seria aceita.',
    changes: 'Mudanças',
    noChanges: 'Nenhum valor mudaria.',
    before: 'Valor atual',
    after: 'Novo valor',
    needs: 'Precisa de',
    restart: 'um reinício de todos os processos, um após o outro',
  },
  concerns: {
    issuer:
      'um reinício simultâneo de todos os processos e uma mudança em cada cliente: eles comparam o emissor, e os tokens do atual não são mais aceitos',
    secrets:
      'um reinício de todos os processos. Coloque um novo segredo antes do atual e mantenha o atual: ele abre o que foi criptografado com ele',
    store: 'um reinício simultâneo de todos os processos. Os dados ficam onde estão: copie-os antes',
    keys: 'um reinício de todos os processos. Publique as chaves novas antes que assinem: veja a página de chaves',
    subjects:
      'um reinício de todos os processos. Os sujeitos dos usuários podem mudar, e os clientes não encontram mais os seus usuários',
    listener: 'um reinício de todos os processos e uma mudança no proxy à frente deles',
  },
};
