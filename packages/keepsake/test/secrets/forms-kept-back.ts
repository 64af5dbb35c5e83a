import { hex, mixed, type SecretForm } from './forms.ts'

const form = (name: string, ...parts: readonly string[]): SecretForm => ({ name, text: parts.join('') })
const PW = 'walrus7kite'

/** Written after the rules were mended for `forms-of-services.ts` and `forms-in-talk.ts`, before any was tried on them. */
export const KEPT_BACK_FORMS: readonly SecretForm[] = [
  form('Resend', 'use ⟦re_', mixed(8), '_', mixed(24), '⟧ for it'),
  form('Clerk', 'use ⟦sk', '_test_', mixed(40), '⟧ for it'),
  form('Mistral, labelled', 'MISTRAL_API_KEY=⟦', mixed(32), '⟧'),
  form('Cohere, told', 'my cohere api key is ⟦', mixed(40), '⟧'),
  form('Vercel, labelled', 'VERCEL_TOKEN: ⟦', mixed(24), '⟧'),
  form('GitHub, refresh', 'use ⟦gh', 'r_', mixed(36), '⟧ for it'),
  form('Hashed in Django', 'pbkdf2_sha256$⟦600000$', mixed(22), '$', mixed(43), '=⟧'),
  form('ssh key of one line', 'key is ⟦b3BlbnNzaC1rZXktdjEA', mixed(120), '⟧'),
  form('JSON of a login', `{"user":"ana","passcode":"⟦${PW}⟧"}`),
  form('TOML', `[db]\npass = "⟦${PW}⟧"`),
  form('a header of curl', `curl -H "X-Auth-Token: ⟦${hex(32)}⟧" https://a.example.org`),
  form('psql address', `psql "host=db user=ana password=⟦${PW}⟧"`),
  form('7z', `7z x a.7z -p⟦${PW}⟧`),
  form('unzip', `unzip -P ⟦${PW}⟧ a.zip`),
  form('ssh-keygen', `ssh-keygen -t ed25519 -N "⟦${PW}⟧"`),
  form('net user', `net user ana ⟦${PW}⟧ /add`),
  form('chpasswd', `echo "ana:⟦${PW}⟧" | chpasswd`),
  form('a voice', `so the passphrase, it's ⟦${PW}⟧, ok?`),
  form('capitals', `PASSWORD IS ⟦WALRUS7KITE⟧`),
  form('two typos', `pasword for netflix: ⟦${PW}⟧`),
  form('a password and its user', `netflix: ana@example.org / ⟦${PW}⟧`),
  form('a number for the door', 'door code ⟦4471⟧ then push'),
  form('a PIN in a sentence', 'my pin used to be ⟦4471⟧'),
  form('IBAN in lower case', 'iban ⟦de89370400440532013000⟧'),
  form('amex', 'amex ⟦3782 822463 10005⟧'),
  form('CVV', 'cvv: ⟦737⟧'),
  form(
    'words of Monero',
    `mnemonic: ⟦${'legal winner thank year wave sausage worth useful legal winner thank yellow '.repeat(2)}legal⟧`,
  ),
  form('支付宝', '支付宝登录密码：⟦walrus7kite⟧'),
  form('六位', '银行卡密码六位数⟦482913⟧'),
  form('忘了改', '密码忘改了还是原来的⟦walrus7kite⟧'),
  form('门禁', '小区门禁⟦2580#⟧'),
  form('快递柜', '丰巢取件码⟦48291375⟧'),
  form('助记词带序号', '助记词：⟦1的 2一 3是 4在 5不 6了 7有 8和 9人 10这 11中 12大⟧'),
  form('私钥换行', `私钥：\n⟦0x${hex(64)}⟧`),
  form('数据库', `数据库账号root，密码是⟦${PW}⟧，端口3306`),
]
