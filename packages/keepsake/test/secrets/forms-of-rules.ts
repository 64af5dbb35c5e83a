import { hex, mixed } from './forms.ts'

const joined = (...parts: readonly string[]): string => parts.join('')
const letters = (length: number): string =>
  mixed(length * 2)
    .replace(/\d/g, '')
    .slice(0, length)
const upper = (length: number): string => mixed(length).toUpperCase()
const digits = (length: number): string => hex(length).replace(/[a-f]/g, '7')
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
const pemOf = (kind: string): string =>
  [
    joined('-----BEGIN ', kind, 'PRIVATE', ' KEY-----'),
    ...Array.from({ length: 4 }, (_, at) => `MIIE${mixed(60, at)}`),
    joined('-----END ', kind, 'PRIVATE', ' KEY-----'),
  ].join('\n')
const deviceKey = joined(
  'ops_',
  base64({
    email: 'ana@example.org',
    secretKey: mixed(40),
    muk: { k: mixed(40), kty: 'oct' },
    srpX: hex(64),
    signInAddress: 'a.1password.com',
    throttleSecret: { seed: hex(64), uuid: mixed(26) },
    userAuth: { method: 'SRPg-4096', alg: 'PBES2g-HS256', iterations: 650_000, salt: mixed(22) },
    deviceUuid: mixed(26),
  }),
)

/** Every form that a rule of secretlint's recommended set knows, by the rule; put together so that no scanner takes this file for a leak. */
export const FORMS_OF_RULES: Readonly<Record<string, readonly string[]>> = {
  aws: [
    ...['A3TX', 'AKIA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'ASIA'].map((prefix) =>
      joined(prefix, upper(16)),
    ),
    joined('aws_secret_access_key = ', mixed(40)),
  ],
  privatekey: ['', 'RSA ', 'DSA ', 'EC ', 'OPENSSH '].map(pemOf),
  npm: [
    joined('np', 'm_', mixed(36)),
    joined('//registry.example.org/:_auth', 'Token=', mixed(36)),
    joined('https://ana:', mixed(36), '@github.com/x/y.git'),
  ],
  basicauth: [joined('https://ana:', 'tulip9boat', '@example.org')],
  slack: [
    ...['xoxb', 'xoxp', 'xoxa', 'xoxo', 'xoxr'].map((prefix) => joined(prefix, '-1234567890-', mixed(24))),
    joined('xapp', '-1-A01234567-1234567890-', mixed(40)),
    joined('https://hooks.slack', '.com/services/T', upper(8), '/B', upper(8), '/', mixed(24)),
  ],
  sendgrid: [joined('S', 'G.', mixed(22), '.', mixed(43))],
  shopify: ['shppa', 'shpca', 'shpat', 'shpss'].map((prefix) => joined(prefix, '_', hex(32))),
  stripe: ['sk_live', 'sk_test', 'rk_live', 'rk_test'].map((prefix) => joined(prefix, '_', mixed(24))),
  github: [
    ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((prefix) => joined(prefix, '_', mixed(36))),
    joined('github', '_pat_', mixed(82)),
    joined('gh', 's_12345_', mixed(30), '.', mixed(60), '.', mixed(40)),
  ],
  gitlab: [joined('glp', 'at-', mixed(20)), joined('glp', 'at-', mixed(60))],
  grafana: [
    joined('gl', 'c_', base64({ o: '12345', n: 'stack-tulip', k: mixed(32), m: { r: 'eu' } })),
    joined('gl', 'sa_', mixed(32), '_', hex(8)),
  ],
  openai: [
    joined('s', 'k-', mixed(20), 'T3Blbk', 'FJ', mixed(20)),
    ...['proj', 'svcacct', 'admin'].map((kind) =>
      joined('s', 'k-', kind, '-', mixed(74), 'T3Blbk', 'FJ', mixed(74)),
    ),
  ],
  anthropic: [joined('s', 'k-ant-api03-', mixed(93), 'AA'), joined('s', 'k-ant-api00-', mixed(90), 'AA')],
  groq: [joined('gs', 'k_', mixed(52))],
  huggingface: [joined('h', 'f_', letters(34))],
  linear: [joined('lin', '_api_', mixed(40))],
  notion: [joined('nt', 'n_', digits(11), mixed(35)), joined('secret', '_', mixed(43))],
  '1password': [deviceKey],
  'database-connection-string': [
    joined('mongodb+srv://ana:', 'tulip9boat', '@db.example.org/x'),
    joined('mongodb://ana:', 'tulip9boat', '@db.example.org:27017/x?authSource=admin'),
    joined('jdbc:mysql://ana:', 'tulip9boat', '@db.example.org:3306/x'),
    joined('mysqlx://ana:', 'tulip9boat', '@db.example.org/x'),
    joined('postgresql://ana:', 'tulip9boat', '@db.example.org:5432/x'),
    joined('postgres://ana:', 'tulip9boat', '@db.example.org/x'),
  ],
  'hashicorp-vault': [
    joined('hv', 's.', mixed(95)),
    joined('hv', 'b.', mixed(150)),
    joined('hv', 'r.', mixed(95)),
  ],
  vercel: ['vcp', 'vci', 'vca', 'vcr', 'vck'].map((prefix) => joined(prefix, '_', mixed(24))),
  databricks: [joined('da', 'pi', hex(32)), joined('da', 'pi', hex(32), '-2')],
  docker: [joined('dckr', '_pat_', mixed(27))],
  figma: [joined('fig', 'd_', mixed(40))],
  cloudflare: ['cfk', 'cfut', 'cfat'].map((prefix) => joined(prefix, '_', mixed(40), hex(8))),
  tailscale: ['auth', 'api', 'client', 'scim', 'webhook'].map((kind) =>
    joined('tskey', '-', kind, '-', mixed(16), '-', mixed(32)),
  ),
  gcp: [
    JSON.stringify({
      type: 'service_account',
      project_id: 'tulip',
      private_key_id: hex(40),
      private_key: `${pemOf('')}\n`,
      client_email: 'ana@tulip.iam.gserviceaccount.com',
    }),
  ],
}
