import { describe, expect, it } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

const masked = async (text: string): Promise<string> => (await maskSecrets(text)).text

/** Put together here, so that no scanner takes this file for a leak. */
const token = ['gh', 'p_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('')
const keyFrame = (edge: string): string => ['-----', edge, ' RSA ', 'PRIVATE', ' KEY-----'].join('')
const keyBody = 'MIIEpAIBAAKCAQEA1234567890abcdefghijklmnopqrstuvwxyzABCDEFGHIJ\n'.repeat(8)
const privateKey = `${keyFrame('BEGIN')}\n${keyBody}${keyFrame('END')}`

describe('maskSecrets', () => {
  it.each([
    ['my card is 4111 1111 1111 1111, ok?', 'my card is [masked: card number], ok?'],
    ['4111-1111-1111-1111', '[masked: card number]'],
    ['amex 378282246310005.', 'amex [masked: card number].'],
    ['我的卡号是5555555555554444。', '我的卡号是[masked: card number]。'],
    ['卡号４１１１１１１１１１１１１１１１', '卡号[masked: card number]'],
  ])('masks card numbers: %s', async (text, expected) => {
    expect(await masked(text)).toBe(expected)
  })

  it.each([
    'call me on +86 138 1234 5678',
    'my number is 0049 30 901820 1234',
    'order 4111111111111112 has shipped',
    'ISBN 978-3-16-148410-0',
    'ISBN 9783161484100',
    'it is 1234567890123 in the log',
    'π is 3.14159265358979323846',
    'I was born 1990-01-02 and moved 2001-02-03 2004-05-06',
    '62 12345678901234567',
  ])('leaves other numbers: %s', async (text) => {
    expect((await maskSecrets(text)).masked).toEqual([])
  })

  it.each([
    ['backup codes: 5512-3381 7720-9912 6613-1021', 3],
    ['my pins are 3391 and 8820', 2],
    ['my old password was Ha11oween and new one is Tr33house!x', 2],
    ['changed my password from Ha11oween to Tr33house', 2],
    ['old pw Mia77 new pw Leo88', 2],
    ['my bank account number is 87654321 and sort code 20-44-11', 2],
    ['银行账号：6222020200112233445', 1],
    [`my wallet private key is 0x${'4c08ab93'.repeat(8)}`, 1],
    ['the security code on the back is 771', 1],
    ['my old pin was 3391 and my new one is 8820', 2],
    ['pw for hulu is hen44coop and for disney its pig55barn', 2],
    ['sort code 20-44-11 account 87654321', 2],
    ['TC kimlik no 12345678950', 1],
    ['my NI number is QQ 12 34 56 C', 1],
    ['주민등록번호 910203-1234567', 1],
    ['codice fiscale VRDLGI80A01F205X', 1],
    ['le code de ma carte c’est 3391', 1],
    ['my wifi password? heron77', 1],
    ['its heron77, thats my email password', 1],
    ['Heron77是我的邮箱密码', 1],
    ['密码是 大熊猫2031', 1],
    ['保险柜密码12-7-44', 1],
    ['NHS waiting list: 76543 people', 0],
    ['kimlik kartım 2019 yılında kayboldu', 0],
    ['my account has 120000 followers', 0],
    ['my password is ridiculous', 0],
    ['密码学考了93分，满分100', 0],
    ['my old one was 3391 cc and the new one is 8820 cc', 0],
    ['my password has 12 characters and 3 digits', 0],
    ['the door code was changed in 2019 and 2021', 0],
  ])('masks every secret of a list: %s', async (text, count) => {
    expect((await maskSecrets(text)).text.match(/\[masked/g)?.length ?? 0).toBe(count)
  })

  it('masks tokens and private keys by the maintained rules', async () => {
    expect(await masked(`use ${token} please`)).toBe('use [masked: key] please')
    const key = await masked(`here: ${privateKey} thanks`)
    expect(key).toContain('[masked: key]')
    expect(key).not.toContain('MIIEpAIBAAKCAQEA')
  })

  it('masks a password inside an address', async () => {
    expect(await masked('try https://tom:s3cretPass99@example.org/x')).not.toContain('s3cretPass99')
  })

  it.each([
    ["mon mot de passe c'est Soleil!2024", 'Soleil!2024'],
    ['le mot de passe du wifi, c’est Lune2024', 'Lune2024'],
    ["Soleil!2024 c'est mon mot de passe", 'Soleil!2024'],
    ['mon mdp c’est Chat#99, garde-le', 'Chat#99'],
    ['Das Passwort heißt Sonne#77', 'Sonne#77'],
    ['Sonne#77 ist mein Passwort', 'Sonne#77'],
    ['Gato$2021 es mi contraseña', 'Gato$2021'],
    ['la password sarebbe Luna2021!', 'Luna2021'],
    ["login is noor, password same as the dog's name, Pickle99", 'Pickle99'],
    ["my password is my cat's name plus a year, Mochi2019.", 'Mochi2019'],
  ])('masks passwords in other words: %s', async (text, secret) => {
    expect(await masked(text)).not.toContain(secret)
  })

  it.each([
    "mon mot de passe, c'est compliqué",
    "Mon mot de passe c'est toujours le même",
    'Das Passwort heißt auf Englisch password',
    'The password is the hardest part, GPT4 said',
    'my password is my secret, thanks',
    'C3PO est mon robot préféré',
    'A1 ist mein Niveau',
  ])('leaves what is said about passwords: %s', async (text) => {
    expect(await masked(text)).toBe(text)
  })

  it.each([
    ['my password is hunter2', 'my password is [masked: password]'],
    ['Password: swordfish!', 'Password: [masked: password]!'],
    ['the password for my wifi is blue-Tree_9.', 'the password for my wifi is [masked: password].'],
    ['my passcode was "open sesame"', 'my passcode was "[masked: password]"'],
    ['my pin is 4821 ok', 'my pin is [masked: password] ok'],
    ['我的密码是abc123，别告诉别人', '我的密码是[masked: password]，别告诉别人'],
    ['密码：hunter2。', '密码：[masked: password]。'],
  ])('masks passwords said in talk: %s', async (text, expected) => {
    expect(await masked(text)).toBe(expected)
    expect((await maskSecrets(text)).masked).toEqual([{ kind: 'password', count: 1 }])
  })

  it.each([
    'my password is not working',
    'my password is expired.',
    'the password is too long',
    'I forgot my password again',
    'my password is the same everywhere',
    'the pin is on the map',
    'a pin is a small needle',
    '我的密码是不是错了',
    '我忘了密码',
    'Is your password safe?',
  ])('leaves talk about passwords: %s', async (text) => {
    expect((await maskSecrets(text)).masked).toEqual([])
  })

  it.each([
    ['My passport no. is R4TVKQX7M.', 'My passport no. is [masked: account number].'],
    ['Die Reisepassnummer lautet L2Z9KM4TT.', 'Die Reisepassnummer lautet [masked: account number].'],
    ['Mi número de pasaporte es ZAB204817.', 'Mi número de pasaporte es [masked: account number].'],
    ['Passeport n° 20AF73315', 'Passeport n° [masked: account number]'],
    ['パスポート番号は TK4418823 です', 'パスポート番号は [masked: account number] です'],
    ['Log in as tess with Anchor-Reed-58! please', 'Log in as tess with [masked: password]! please'],
    ['Melde dich als tim mit Dachs#7713 an.', 'Melde dich als tim mit [masked: password] an.'],
    ['Inicia sesión como eva con Roble_Sur92.', 'Inicia sesión como eva con [masked: password].'],
    ['Puse Cerro*Luz31 como contraseña.', 'Puse [masked: password] como contraseña.'],
    ['Als Kennwort habe ich Moos+Berg66 genommen.', 'Als Kennwort habe ich [masked: password] genommen.'],
    ['开门口令就用 Xique#4471 吧', '开门口令就用 [masked: password] 吧'],
    ['They texted me 530 118 as the login code.', 'They texted me [masked: password] as the login code.'],
    ['The code they texted me is 771 204.', 'The code they texted me is [masked: password].'],
    ['Der Bestätigungscode lautet 440 913.', 'Der Bestätigungscode lautet [masked: password].'],
    ['Le code de connexion reçu est 615 882.', 'Le code de connexion reçu est [masked: password].'],
    ['登录码是 330 915', '登录码是 [masked: password]'],
  ])('masks passports, passwords in prose and codes of one use: %s', async (text, expected) => {
    expect(await masked(text)).toBe(expected)
  })

  it.each([
    'Passport photos for form DS2024 cost 15 dollars.',
    'El número de pasaporte es obligatorio desde 2019.',
    'I log in as editor with Firefox on Windows11.',
    'Als Gast mit 3 Kindern anmelden geht nicht.',
    'They used a Pixel-8a as the doorstop.',
    'The code they wrote in 2019 has 66000 lines.',
    'O código postal é 4000-322.',
    'El código de verificación cambió en 2024.',
    '口令先用旧的，2024 年再说',
  ])('leaves what looks like them: %s', async (text) => {
    expect((await maskSecrets(text)).masked).toEqual([])
  })

  it.each([
    [
      'We used Larch!Fen09 to sign in to the tax site.',
      'We used [masked: password] to sign in to the tax site.',
    ],
    ['用 Songshu#5521 就能登录后台', '用 [masked: password] 就能登录后台'],
    [
      "The guest wifi password's plover31, by the way.",
      "The guest wifi password's [masked: password], by the way.",
    ],
    ['pass for the NAS is Fjord_88q', 'pass for the NAS is [masked: password]'],
    ["The shed's disarm code is 6104.", "The shed's disarm code is [masked: password]."],
    ['My security answer is Brindle.', 'My security answer is [masked: password].'],
    ['Security question: first school? St Columba', 'Security question: first school? [masked: password]'],
    ['Mi DNI es 45.671.234-L', 'Mi DNI es [masked: account number]'],
    ['NIE: Y4567890N', 'NIE: [masked: account number]'],
    ['204713900 is mijn BSN', '[masked: account number] is mijn BSN'],
    ['Steuer-ID: 47 036 892 816', 'Steuer-ID: [masked: account number]'],
    ['Meu CPF: 111.444.777-35', 'Meu CPF: [masked: account number]'],
    ['Numer PESEL: 02070803628', 'Numer PESEL: [masked: account number]'],
    ['Personnummer 640823-3234', 'Personnummer [masked: account number]'],
    ['N° de sécurité sociale : 2 69 05 49 588 157 80', 'N° de sécurité sociale : [masked: account number]'],
    ['My driving licence no. is B072RRE2I55', 'My driving licence no. is [masked: account number]'],
  ])('masks passwords by their use, security answers and identity numbers: %s', async (text, expected) => {
    expect(await masked(text)).toBe(expected)
  })

  it.each([
    'I use Notepad++8.6 to get into old logs.',
    'Use zoe+bills@example.org to sign in.',
    'We used Firefox-128-esr to log in.',
    'They used Python3.12 to access the sheet.',
    "The password's SHA256 hash was leaked.",
    "My password's 10-character limit is odd.",
    "The password's 3rd letter is wrong.",
    'Our rail pass is valid until 2031.',
    'The pass is 1900m above the sea.',
    'The disarm order of 1994 was signed.',
    'The security answer is wrong.',
    'My security question was the pet one.',
    'Security question: why do we sleep?',
    "My grandmother's maiden name is Loos.",
    'The DNI 45671234A does not exist.',
    'BSN 204713901 klopt niet.',
    'Order 204713900 has shipped.',
    'Invoice 47036892816 is paid.',
    'A Steuer-ID has 11 digits; call 030 12345678.',
    'CPF 111.444.777-36 é falso.',
    'I got my driving licence in June 2003.',
    "My driver's licence expires 2031-04-12.",
  ])('leaves what looks like those: %s', async (text) => {
    expect((await maskSecrets(text)).masked).toEqual([])
  })

  it.each([
    ['Changed it to "Otter-Reed-55" - thats the new admin password', 'Otter-Reed-55'],
    ["it's now Otter-Reed-55, that's our alarm passcode", 'Otter-Reed-55'],
    ['Otter#55reed (that is the wifi password)', 'Otter#55reed'],
    ['"Otter-Reed-55" is what we use as the pin', 'Otter-Reed-55'],
    ['Username: ida@example.org Pass: buttercup', 'buttercup'],
    ['login: ida, pw: buttercup', 'buttercup'],
    ['creds ida / buttercup31 for the NAS', 'buttercup31'],
    ['credentials for the NAS: ida | buttercup31', 'buttercup31'],
    ["my mum's maiden name is Lindqvist (security question at the bank)", 'Lindqvist'],
    ['My first pet was Brindle - my security question.', 'Brindle'],
    ["the security answer, mother's maiden name: Lindqvist", 'Lindqvist'],
    ['our wifi is Birch 12 and the key is 60718293041526378495', '60718293041526378495'],
    ['Hotspot "Birch", key: birchbark7', 'birchbark7'],
    ['мой пароль от почты Okun!81', 'Okun!81'],
    ['şifrem Kavak#81', 'Kavak#81'],
    ['mein Passwort Dachs_81!', 'Dachs_81'],
  ])('masks a secret with its label behind, beside or before it: %s', async (text, secret) => {
    expect(await masked(text)).not.toContain(secret)
  })

  it('masks the secret beside the id of an AWS key, in either order', async () => {
    const id = ['AK', 'IA', 'QZ7XN4M2PLW9TR5B'].join('')
    const secret = ['q8Rt/5vBn2Lk+9XcZm4', 'WpY7sHd3FgJ6aKeUiOrE1'].join('')
    for (const text of [
      `${id} / ${secret}`,
      `${id}\n${secret}`,
      `${id} and then ${secret}.`,
      `${secret}, ${id}`,
    ])
      expect(await masked(text)).not.toContain(secret)
    const commit = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
    expect(await masked(`${id} came with ${commit}`)).toContain(commit)
  })

  it.each([
    "I moved to KeePass2, that's my password manager",
    "We met in room B-12, that's the password story",
    "It was 2024-11, that's when the password leaked",
    "I bought an iPhone-15, that's the phone whose password I forgot",
    'Account: tests Pass: failed',
    'User: Ida Pass: required',
    'The credentials page / page2 is broken',
    "My mother's maiden name is Lindqvist.",
    'My first pet was Brindle. The bank asks a security question.',
    'The wifi is slow and the key is patience.',
    'The router broke and the key is under B-12.',
    'The wifi contract ended; the key date is 2026-11-30.',
    'пароль от нового ноутбука Windows11',
    'şifrem Windows11 ile değişti',
  ])('leaves what looks like a label: %s', async (text) => {
    expect(await masked(text)).toBe(text)
  })

  it('leaves long words, addresses and ids', async () => {
    for (const text of [
      'antidisestablishmentarianism',
      'see https://example.org/articles/2024/the-long-road-home',
      'id 6f1ed002-ab5f-4d3b-a4f6-9f3b1a2c4d5e',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ])
      expect((await maskSecrets(text)).masked).toEqual([])
  })

  it('reads a text that holds nothing but secrets in pieces, between which others have their turn', async () => {
    const secrets = ['gh', 'p_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx '].join('')
    let turns = 0
    const watch = setInterval(() => (turns += 1), 1)
    const { masked: found } = await maskSecrets(secrets.repeat(8_000))
    clearInterval(watch)
    expect(found).toEqual([{ kind: 'key', count: 8_000 }])
    expect(turns).toBeGreaterThan(5)
  })

  it.each([
    '1 1 1 1 1 password is x y ',
    'a',
    'pwd is ',
    '"',
    'key=',
    'password to ',
    '-----BEGIN PRIVATE KEY-----\n',
    'DE12 ',
    'code for the a b ',
    'front door ',
    'backup codes 1234 ',
    'user a pass ',
    '密码a',
    'credentials a1234 / ',
    "a1b2c3, that's my a b ",
    'wifi key a ',
    'şifrem a b c ',
    'maiden name is a (',
  ])('comes to the end of 100 kilobytes of %j', async (piece) => {
    // Work that grows with the square would outlast the test's minute many times over.
    const text = piece.repeat(100_000 / piece.length)
    const { masked: found } = await maskSecrets(text)
    for (const { count } of found) expect(count).toBeLessThanOrEqual(text.length)
  })

  it('is not switched off by what a text says to it', async () => {
    expect(await masked(`secretlint-disable ${token}`)).not.toContain(token)
  })

  it('leaves no entry of a profiler behind, however many texts it looks at', async () => {
    await masked(token)
    const before = performance.getEntries().length
    for (let text = 0; text < 20; text += 1) await masked(`${token} ${text}`)
    expect(performance.getEntries()).toHaveLength(before)
  })
})

it.each([
  ['Пароль от ноутбука теперь Sosna1987', 'Sosna1987'],
  ['пин-код карты 5531', '5531'],
  ['мне пришла смс с кодом 552918', '552918'],
  ['Паспорт серия 4510 номер 123456', '4510 номер 123456'],
  ['wifi parolası Kedi-1987', 'Kedi-1987'],
  ['tek kullanımlık şifre 552918', '552918'],
  ['Pasaport numaram U98765432', 'U98765432'],
  ['zmieniłem hasło na Sosna1987', 'Sosna1987'],
  ['PIN do telefonu: 5531', '5531'],
  ['Numer paszportu EC9876543', 'EC9876543'],
  ['ho cambiato la password in Pino1987', 'Pino1987'],
  ['mi è arrivato il codice 552918 per accedere', '552918'],
  ['mijn laptop heeft als wachtwoord Den1987', 'Den1987'],
  ['paspoortnr. NP9876543', 'NP9876543'],
  ['Passwort für Office365: Tanne!87', 'Tanne!87'],
  ['wachtwoord van Ziggo4k is Den1987', 'Den1987'],
])('masks a value beside its name in other languages, and nothing else: %s', async (text, value) => {
  const [before = '', after] = text.split(value)
  const words = (await masked(text)).split(/\[masked: [^\]]*\]/)
  expect(words).toEqual([before, after])
})

it.each([
  'Пароль от Office365 я забыл',
  'Придумай пароль из 12 символов',
  'паспорт техника 2024 года',
  'Office365 şifremi unuttum',
  'şifreyi 3 kez yanlış girdim',
  'kod rabatowy LATO2024',
  'hasło do Office365 nie działa',
  'codice postale 20121',
  'la password di Office365 non funziona',
  'wachtwoord verloopt over 90 dagen',
  'foutcode 552918',
  'Das Passwort für Office365 habe ich vergessen',
  'Passwort auf Office365 umgestellt',
])('leaves words about passwords, other codes and the names of services: %s', async (text) => {
  expect(await masked(text)).toBe(text)
})
