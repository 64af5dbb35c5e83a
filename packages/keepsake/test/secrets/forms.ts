/** A text with a secret between ⟦ and ⟧, put together so that no scanner of repositories takes this file for a leak. */
export interface SecretForm {
  readonly name: string
  readonly text: string
}

const LETTERS = 'aZ3bY7cX1dW9eV5fU2gT8hS4iR6jQ0kPmNoLpK'
/** Letters and digits of a given length, the same each time. */
export function mixed(length: number, from = 0): string {
  return Array.from({ length }, (_, at) => LETTERS[(from + at * 7) % LETTERS.length]).join('')
}
export function hex(length: number): string {
  return Array.from({ length }, (_, at) => '3fa91c07e5b28d46'[(at * 5) % 16]).join('')
}
const upper = (length: number): string => mixed(length).toUpperCase().replace(/[OI]/g, 'X')
const joined = (...parts: readonly string[]): string => parts.join('')
const form = (name: string, text: string): SecretForm => ({ name, text })
const token = (name: string, ...parts: readonly string[]): SecretForm =>
  form(name, `please use ⟦${joined(...parts)}⟧ for it`)

const edge = (which: string, label: string): string =>
  joined('-----', which, ' ', label, 'PRIVATE', ' KEY-----')
const body = (lines: number): string[] => Array.from({ length: lines }, (_, at) => `MIIE${mixed(60, at)}`)
const pem = (label: string, lines: number): string =>
  [edge('BEGIN', label), ...body(lines), edge('END', label)].join('\n')

const TOKENS: readonly SecretForm[] = [
  token('GitHub, classic', 'gh', 'p_', mixed(36)),
  token('GitHub, OAuth', 'gh', 'o_', mixed(36)),
  token('GitHub, server', 'gh', 's_', mixed(36)),
  token('GitHub, fine-grained', 'github', '_pat_', mixed(82)),
  token('GitLab', 'glp', 'at-', mixed(20)),
  token('GitLab, runner', 'gl', 'rt-', mixed(20)),
  token('npm', 'np', 'm_', mixed(36)),
  token('PyPI', 'py', 'pi-', mixed(80)),
  token('Slack, bot', 'xo', 'xb-', '123456789012-123456789012-', mixed(24)),
  token('Slack, app', 'xa', 'pp-', '1-A01234567-123456789012-', mixed(40)),
  token('OpenAI, old', 's', 'k-', mixed(48)),
  token('OpenAI, project', 's', 'k-proj-', mixed(60)),
  token('Anthropic', 's', 'k-ant-api03-', mixed(93), 'AA'),
  token('Stripe, live', 'sk', '_live_', mixed(24)),
  token('Stripe, restricted', 'rk', '_live_', mixed(24)),
  token('Stripe, webhook', 'wh', 'sec_', mixed(32)),
  token('SendGrid', 'S', 'G.', mixed(22), '.', mixed(43)),
  token('Hugging Face', 'h', 'f_', mixed(34)),
  token('Groq', 'gs', 'k_', mixed(52)),
  token('Shopify', 'shp', 'at_', hex(32)),
  token('Linear', 'lin', '_api_', mixed(40)),
  token('Notion', 'nt', 'n_', '12345678901', mixed(35)),
  token('Figma', 'fig', 'd_', mixed(40)),
  token('Docker Hub', 'dckr', '_pat_', mixed(27)),
  token('Tailscale', 'tskey', '-auth-', mixed(16), '-', mixed(32)),
  token('Vault', 'hv', 's.', mixed(95)),
  token('Databricks', 'da', 'pi', hex(32)),
  token('Grafana', 'gl', 'sa_', mixed(32), '_', hex(8)),
  token('DigitalOcean', 'do', 'p_v1_', hex(64)),
  token('Replicate', 'r', '8_', mixed(37)),
  token('Perplexity', 'pp', 'lx-', mixed(48)),
  token('xAI', 'xa', 'i-', mixed(80)),
  token('NVIDIA', 'nv', 'api-', mixed(64)),
  token('Atlassian', 'ATA', 'TT3', mixed(60)),
  token('Postman', 'PM', 'AK-', hex(24), '-', hex(34)),
  token('New Relic', 'NR', 'AK-', upper(27)),
  token('Square', 'sq0', 'atp-', mixed(22)),
  token('Twilio', 'S', 'K', hex(32)),
  token('Telegram', '1234567890:A', 'A', mixed(33)),
  token('Google, API key', 'AI', 'za', mixed(35)),
  token('Google, OAuth', 'ya', '29.', mixed(60)),
  token('Google, client secret', 'GOC', 'SPX-', mixed(28)),
  token('AWS, id', 'AK', 'IA', upper(16)),
  token('AWS, passing id', 'AS', 'IA', upper(16)),
  token('Keepsake', 'k', 's_', hex(12), '_', mixed(43)),
  token('JWT', 'ey', `J${mixed(33)}.`, 'ey', `J${mixed(60)}.`, mixed(43)),
  form('JWT, unsigned', `use ⟦${joined('ey', `J${mixed(33)}.`, 'ey', `J${mixed(60)}`)}⟧. for it`),
  token('age', 'AGE-SECRET', '-KEY-1', upper(58)),
  token('Bitcoin, WIF', '5', 'K', mixed(49).replace(/[0OIl]/g, 'x')),
  token('Sentry', 'sn', 'trys_', mixed(60)),
]

const NAMED: readonly SecretForm[] = [
  form('AWS secret, assigned', `AWS_SECRET_ACCESS_KEY=⟦${mixed(40)}⟧`),
  form('AWS secret, in JSON', `{"aws_secret_access_key": "⟦${mixed(40)}⟧"}`),
  form('AWS secret, said', `my aws secret key is ⟦${mixed(40)}⟧ ok`),
  form('AWS secret, camel case', `SecretAccessKey: ⟦${mixed(40)}⟧`),
  form('password in JSON', '{"user":"ana","password":"⟦Tulip-boat⟧"}'),
  form('password in JSON within JSON', '{\\"password\\":\\"⟦Tulip-boat⟧\\"}'),
  form('password of an environment', 'DB_PASSWORD=⟦tulipboat⟧'),
  form('password of an environment, quoted', "export PGPASSWORD='⟦tulip boat⟧'"),
  form('password in YAML', 'db:\n  password: ⟦tulip9boat⟧\n  host: h'),
  form('password in TOML', 'password = "⟦tulip boat⟧"'),
  form('password in properties', 'spring.datasource.password=⟦tulipboat⟧'),
  form('password in XML', '<password>⟦tulipboat⟧</password>'),
  form('password of a command', 'mysqldump --password=⟦tulipboat⟧ all'),
  form('password of curl', 'curl -u ana:⟦tulipboat⟧ example.org'),
  form('password of sshpass', 'sshpass -p ⟦tulipboat⟧ ssh ana@h'),
  form('API key, assigned', `API_KEY=⟦${mixed(24)}⟧`),
  form('API key, in YAML', `api_key: ⟦${mixed(24)}⟧`),
  form('client secret', `client_secret=⟦${mixed(24)}⟧`),
  form('token in JSON', `{"access_token":"⟦${mixed(24)}⟧"}`),
  form('Azure account key', `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=⟦${mixed(86)}==⟧`),
  form('bearer header', `Authorization: Bearer ⟦${mixed(40)}⟧`),
  form('basic header', `Authorization: Basic ⟦YW5hOnR1bGlwYm9hdDEyMw==⟧`),
  form('key header', `X-API-Key: ⟦${mixed(20)}⟧`),
  form('cookie', `Cookie: sessionid=⟦${mixed(32)}⟧; a=b`),
  form('token in an address', `https://example.org/x?access_token=⟦${mixed(24)}⟧&a=b`),
  form('signature in an address', `https://example.org/x?sig=⟦${mixed(24)}⟧`),
  form('Slack webhook', `⟦https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${mixed(24)}⟧`),
  form('Discord webhook', `https://discord.com/api/webhooks/⟦123456789012345678/${mixed(60)}⟧`),
  form('Redis', 'redis://:⟦tulipboat⟧@cache.example.org:6379/0'),
  form('Redis, with a user', 'rediss://ana:⟦tulipboat⟧@cache.example.org:6379'),
  form('AMQP', 'amqp://ana:⟦tulipboat⟧@mq.example.org/vhost'),
  form('SMTP', 'smtp://ana:⟦tulip@boat⟧@mail.example.org:587'),
  form('FTP', 'ftp://ana:⟦tulipboat⟧@files.example.org'),
  form('one-time secret', 'otpauth://totp/x?secret=⟦JBSWY3DPEHPK3PXP⟧&issuer=y'),
  form('wifi code', 'WIFI:S:home;T:WPA;P:⟦tulip boat⟧;;'),
]

const PRIVATE_KEYS: readonly SecretForm[] = [
  form('RSA', `here: ⟦${pem('RSA ', 8)}⟧ thanks`),
  form('EC', `⟦${pem('EC ', 3)}⟧`),
  form(
    'Ed25519',
    `⟦${[edge('BEGIN', ''), `MC4CAQAwBQYDK2VwBCIEI${mixed(43)}`, edge('END', '')].join('\n')}⟧`,
  ),
  form('OpenSSH', `⟦${pem('OPENSSH ', 6)}⟧`),
  form('encrypted', `⟦${pem('ENCRYPTED ', 6)}⟧`),
  form(
    'PGP',
    `⟦${[joined('-----BEGIN PGP ', 'PRIVATE KEY BLOCK-----'), ...body(4), joined('-----END PGP ', 'PRIVATE KEY BLOCK-----')].join('\n')}⟧`,
  ),
  form('cut off at its end', `⟦${[edge('BEGIN', 'RSA '), ...body(4)].join('\n')}⟧`),
  form('cut off at its beginning', `⟦${[...body(4), edge('END', 'RSA ')].join('\n')}⟧`),
  form('quoted as in a mail', `> ⟦${pem('RSA ', 5).replaceAll('\n', '\n> ')}⟧`),
  form('cut off and quoted', `> ⟦${[edge('BEGIN', ''), ...body(4)].join('\n> ')}⟧`),
  form('in one line', `"⟦${pem('', 4).replaceAll('\n', '\\n')}⟧"`),
  form('its body alone', `⟦${body(4).join('\n')}⟧`),
  form('indented', `  ⟦${pem('EC ', 3).replaceAll('\n', '\n  ')}⟧`),
]

const NUMBERS: readonly SecretForm[] = [
  form('card', 'my card is ⟦4111 1111 1111 1111⟧, ok?'),
  form('card, hard spaces', 'card ⟦4111\u00A01111\u00A01111\u00A01111⟧ ok'),
  form('card, dashes', 'card ⟦4111–1111–1111–1111⟧ ok'),
  form('card, dots', 'card ⟦4111.1111.1111.1111⟧ ok'),
  form('card, narrow spaces', 'card ⟦5555\u202F5555\u202F5555\u202F4444⟧ ok'),
  form('card, digits of another script', 'card ⟦٤١١١ ١١١١ ١١١١ ١١١١⟧ ok'),
  form('card, wide digits', '卡号⟦４１１１１１１１１１１１１１１１⟧'),
  form('card of 15', 'amex ⟦378282246310005⟧.'),
  form('account', 'IBAN ⟦DE89 3704 0044 0532 0130 00⟧ please'),
  form('account in one run', 'pay to ⟦GB29NWBK60161331926819⟧.'),
  form('account, French', 'le compte ⟦FR14 2004 1010 0505 0001 3M02 606⟧ merci'),
  form('check number of a card', 'my cvv is ⟦123⟧ ok'),
  form('pin', 'my pin is ⟦4821⟧ ok'),
  form('door code', 'the door code is ⟦4821⟧.'),
]

const SAID: readonly SecretForm[] = [
  form('password', 'my password is ⟦hunter2⟧'),
  form('password, plain word', 'Password: ⟦swordfish⟧!'),
  form('password of several words', 'my password is ⟦correct horse battery staple⟧'),
  form('passphrase', 'the passphrase is ⟦seven green boats in june⟧.'),
  form('password in quotes', 'my passcode was "⟦open sesame⟧"'),
  form('password of the wifi', 'the password for my wifi is ⟦blue-Tree_9⟧.'),
  form(
    'words of a wallet',
    'my seed phrase: ⟦apple river stone cloud lamp tiger ocean bread glass wheel piano frost⟧',
  ),
  form('turned round', '⟦hunter2⟧ is my password'),
  form('to be used', 'just use ⟦hunter2⟧ as the password'),
  form('changed', 'I changed my password to ⟦hunter3⟧'),
  form('login', 'login: ana / ⟦hunter2⟧'),
  form('pwd', 'pwd=⟦hunter2⟧'),
  form('Chinese', '我的密码是⟦abc123⟧，别告诉别人'),
  form('Chinese, in quotes', '我的密码是“⟦芝麻开门⟧”'),
  form('German', 'Mein Passwort lautet ⟦Sommer2024⟧.'),
  form('German, a plain word', 'Passwort: ⟦Sonnenblume⟧'),
  form('French', 'mon mot de passe est ⟦soleil42⟧'),
  form('Spanish', 'mi contraseña es ⟦girasol99⟧'),
  form('Portuguese', 'a minha senha é ⟦girassol99⟧'),
  form('Italian', 'la mia password è ⟦girasole99⟧'),
  form('Dutch', 'mijn wachtwoord is ⟦zonnebloem9⟧'),
  form('Swedish', 'mitt lösenord är ⟦solros99⟧'),
  form('Polish', 'moje hasło to ⟦slonecznik9⟧'),
  form('Turkish', 'şifrem: ⟦aycicegi9⟧'),
  form('Russian', 'мой пароль: ⟦podsolnuh9⟧'),
  form('Japanese', 'パスワードは⟦himawari9⟧です'),
  form('Korean', '비밀번호는 ⟦haebaragi9⟧ 입니다'),
  form('Arabic', 'كلمة المرور هي ⟦abbad9shams⟧'),
]

/** What opens doors, safes and accounts, said in other words. */
const OPENING: readonly SecretForm[] = [
  form('opens 1', 'the code for the safe is ⟦4471-2290⟧'),
  form('opens 2', 'ssh pass: ⟦tr0ub4dor⟧'),
  form('opens 3', 'combination to the locker: ⟦12-34-07⟧'),
  form('opens 4', 'my Netflix login is ana@example.org, password ⟦tulip99boat⟧'),
  form('opens 5', 'garage keypad: ⟦90210⟧'),
  form('opens 6', 'my PUK is ⟦12345678⟧'),
  form('opens 7', 'voicemail pin ⟦4471⟧'),
  form('opens 8', 'root pw ⟦x9Kq2!boat⟧'),
  form('opens 9', 'user bob pass ⟦letmein99⟧'),
  form('opens 10', 'backup codes: ⟦4821-9930⟧'),
  form('opens 11', 'recovery code: ⟦ABCD-1234-EFGH⟧'),
  form('opens 12', '保险箱的密码：⟦4471⟧'),
  form('opens 13', '门禁密码⟦2580⟧'),
  form('opens 14', '我的支付密码是⟦202117⟧'),
  form('opens 15', '验证码 ⟦482913⟧'),
  form('opens 16', 'mi pin es ⟦4471⟧'),
  form('opens 17', 'bike lock code ⟦7749⟧'),
  form('opens 18', 'the key safe code is ⟦1928⟧'),
  form('opens 19', 'the code to my front door is ⟦5512⟧'),
  form('opens 20', 'the wifi key is ⟦boat9tulip⟧'),
  form('opens 21', '开机口令 ⟦tulip99⟧'),
  form('opens 22', 'el código de la puerta es ⟦4471⟧'),
]

/** Ordinary words near to secrets. */
export const ORDINARY: readonly string[] = [
  'the code for the test is 200 lines long',
  'the area code for Graz is 0316',
  'the zip code is 8010',
  'postal code: 8010',
  'the dress code is casual',
  'error code 4471',
  'I got a pass: 87 of 100',
  'boarding pass: gate 22',
  'the combination of 12 and 34',
  'code 4471 is an error',
  'the bus pass costs 49 euro',
  'the safe is 4471 kg heavy',
  '邮编是100000',
  '错误代码是404',
  '验证码没收到',
  '密码锁坏了3次',
  '区号是0755',
  'country code: +43',
  'source code: 4471 lines',
  'the qr code is at table 12',
  'Pass the ball 10 times',
  'the key change is in line 44',
  'mountain pass 2500 metres high',
  'the pin 4471 fell off the map',
  'The code for this bug is 4471-a in the list of faults',
  '密码8位以上才行',
]

/** The forms of secrets that are masked, each to the character. */
export const SECRET_FORMS: readonly SecretForm[] = [
  ...TOKENS,
  ...NAMED,
  ...PRIVATE_KEYS,
  ...NUMBERS,
  ...SAID,
  ...OPENING,
]
