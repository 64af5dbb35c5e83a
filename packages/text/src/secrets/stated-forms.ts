// Each row: what it finds, a hint, the pattern, and a test of the value (secret-form.ts explains them).
import { isState } from './find-passwords.ts'
import { account, card, isMixed, password, type Form } from './secret-form.ts'

/** Matches words that occur in sentences, but not in lists of recovery words. */
const SENTENCE_WORD =
  /^(?:the|and|for|with|from|are|was|were|not|but|has|have|had|your|our|his|her|its|would|should|could|into|write|down|words|never|please)$/
/** A list of 12 to 24 recovery words, in one line or one on each line. */
const WORDS = String.raw`(?:(?:[a-z]{3,8}[ \t,;-]{1,3}){11,23}|(?:[a-z]{3,8}[ \t]?\r?\n){11,23})[a-z]{3,8}(?![a-z])`
/** A value with letters and digits. */
const VALUE = String.raw`(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[A-Za-z])[!-~]{5,64}?`
/** Matches the end of a value: a mark and a space, or a Chinese character. */
const BEHIND = String.raw`(?=[.,;!?)'"]{0,3}(?:\s|$|[，。！？、\u3400-\u9fff]))`
const SECRET_OF = String.raw`(?:pass ?(?:word|code|phrase)|passwd|pwd|pin|wi-?fi (?:key|code))s?`

/** A one-time code, in one number or in groups: “739 204”. */
const ONE_TIME_CODE = String.raw`(?<secret>\d{3}[ -]\d{3}|\d\d[ -]\d\d[ -]\d\d|\d{4,8})(?![A-Za-z\d%€$£]|[.,-]\d|\s?(?:분|分|回|次|euro))`
/** Names of one-time codes in other languages. */
const ONE_TIME_CODE_NAMES = String.raw`(?:einmal|best[äa]tigungs|anmelde|sicherheits|verifizierungs|verificatie|bevestigings|beveiligings|inlog|sms-?)-?code|eenmalige code|c[óo]digo de (?:acces[os]o?|acesso|verificaci[óo]n|verifica[çc][ãa]o|seguridad|segurança|un solo uso)|code (?:de (?:connexion|v[ée]rification|s[ée]curit[ée])|à usage unique|sms)|codice (?:di (?:verifica|accesso|sicurezza|conferma)|otp|sms|monouso)|(?:doğrulama|onay|güvenlik|giriş|sms) kodu\p{L}*|(?:gönder\p{L}+|dostał\p{L}*|приш[её]л) (?:kod|код)|(?:arrivato|ricevuto) (?:il|un) codice|kreeg (?:een |de )?(?:sms-)?code|(?:sms|смс)\p{L}* (?:с|z|con|met) (?:код|kod|codice|code)\p{L}{0,2}|tek kullanımlık (?:şifre|kod|parola)\p{L}*|kod (?:weryfikacyjny|jednorazowy|autoryzacyjny|logowania|potwierdzający|z sms(?:-?a)?|sms|blik)|одноразовый (?:код|пароль)|認証コード|確認コード|인증\s?(?:번호|코드)|код (?:подтверждения|доступа|авторизации|для входа|из (?:смс|sms))|登[录錄]码|动态密码`
/** A value beside a user name or a verb, without a word for passwords: “log in as ana with …”. */
const TYPED_VALUE = String.raw`["'“]?(?<secret>[!-~]{8,64}?)(?=[.,;!?)'"”]{0,3}(?:\s|$))`
const PASSPORT = String.raw`(?:passport|reisepass|passnummer|passnr|pasaporte|passaporte|passaporto|passeport|paspoort|paszport\p{L}{0,2}|pasaport\p{L}{0,3}|(?:загран)?паспорт\p{L}{0,2}|パスポート|旅券|여권)`

/** Reports whether a value looks like a chosen password: letters, digits, and a sign or two hyphens. */
function isChosenPassword(value: string): boolean {
  return isMixed(value) && /[^\w.:/-]|_|[-.][^-.]+[-.]/.test(value) && !/:\/\//.test(value)
}

/** Reports whether a value alone looks like a password. Addresses, versions and names with signs do not: “C++17”, “ana@example.org”. */
function isPasswordAlone(value: string): boolean {
  return isMixed(value) && /[^\w.:/-]|_/.test(value) && !/^[\w.+-]+@[\w-]+\.|\+\+|^v?\d+\./.test(value)
}

/** Reports whether a mixed value may be a password, and not a product, version or day: “iPhone-15”, “v2.1”, “2024-11”. */
const isCompoundPassword = (value: string): boolean =>
  isMixed(value) &&
  value.length >= 6 &&
  !/^v?\d[\d.,:/-]*\p{L}{0,3}$|^\p{L}+-?\d{1,2}$|@[\w-]+\.|:\/\//u.test(value)

/** Reports whether words after “security answer” are an answer, and not a remark: “yes”, “I forgot”. */
function isAnswer(value: string): boolean {
  const [first = ''] = value.split(/\s/)
  return (
    !isState(first) && !/^(?:yes|no|i|we|he|she|they|maybe|sure|ok|okay|nope|never|because)$/i.test(first)
  )
}
const ANSWER = String.raw`["“]?(?<secret>[^\s.,;!?"”[][^.,;!?"”[\n]{1,40})(?=[.,;!?"”\n]|$)`
/** Topics of security questions, such as “maiden name”. */
const QUESTION_TOPICS = String.raw`(?:maiden name|first (?:pet|car|school|teacher|job|boss)|favou?rite \w+|(?:birth|home) ?(?:town|place|city)|childhood \w+|born)`

const STATED_TOPIC = String.raw`${QUESTION_TOPICS}(?: (?:for|at|with) (?:the|my) \w{1,12})?(?: is| was|['’]s|\s*[:=?])\s+`
/** Names of passwords in languages in which the password may follow without a verb. */
const OTHER_NAMES = String.raw`парол[ьяею]м?|şifre(?:m|miz|si|sini|niz)?i?|parola(?:m|mız|sı)?ı?|hasł(?:o|a|em)|cambiato la password|heslo|jelszó|jelszava|passwort|kennwort|wachtwoord|lösenord|adgangskode|passord|salasana|contrase[ñn]a|senha|mot de passe|mdp|mật khẩu|kata sandi`

/** Rules out a value after a word for what a password is for, since that is a name: „Passwort für Office365“. */
const NOT_FOR = String.raw`(?<!(?<!\p{L})(?:für|für das|von|bei|de|del|para|pour|do|da|dla|di|per|van|voor|bij|для|от|к) ["'“„«]?)`
/** Reports whether a value is the name of a product with a number, such as “Office365”. */
const isProduct = (value: string): boolean =>
  /^(?:office|microsoft|ms|windows|win|wi-?fi|ios|android|playstation|iphone|galaxy)-?\d{1,4}$/i.test(value)
/** Names of codes of digits in other languages. */
const PIN_NAMES = String.raw`пин(?:-?код\p{L}*)?|code de (?:[mtl]a |votre )?(?:carte(?: bleue| bancaire)?|cb)(?: c['’]est)?|digicode|meine? tan|(?:카드|현관|도어락)?\s?(?:비밀\s?번호|비번)[은는이]?|code de (?:la |l['’])?porte|pin-?code|pin kod\p{L}*|(?:kart|banka)\p{L}* şifre\p{L}*|(?:mój|mijn|mio|benim) pin|pin (?:do|van|della|del)(?: \p{L}{1,12})?|cvv|cvc|код безопасности|kod zabezpieczający`

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Reports whether Chinese characters are a list of recovery words. In a sentence most characters belong to longer words. */
function isListOfCharacters(value: string): boolean {
  if (value.length % 3 !== 0) return false
  const segments = Array.from(segmenter.segment(value), ({ segment }) => segment.length)
  const inLongerWords = segments.filter((length) => length > 1).reduce((sum, length) => sum + length, 0)
  return inLongerWords / value.length <= 0.4
}

function isListOfWords(value: string): boolean {
  const list = value.split(/[\s,;-]+/)
  return list.length % 3 === 0 && list.filter((word) => SENTENCE_WORD.test(word)).length < 2
}

/** Forms of secrets stated in conversation: after a question, in words, in groups, and labelled identity numbers. */
export const STATED_FORMS: readonly Form[] = [
  password(
    'Chinese recovery words without separators',
    /[助种恢][记子复]/,
    /(?:助记词|助记符|恢复短语|恢复词|种子短语|种子词)[^，。\n]{0,6}?(?:是|为|[:：=]|\s)\s{0,3}(?<secret>\p{Script=Han}{12,24})(?!\p{Script=Han})/gu,
    isListOfCharacters,
  ),
  password(
    'a recovery phrase behind its name, in one line or one word on each line',
    /seed|recovery|mnemonic|wallet/i,
    new RegExp(
      String.raw`\b(?:(?:seed|recovery|secret|backup|mnemonic|wallet) (?:phrase|words)|mnemonic)\b[^\n:]{0,60}(?:[:=]|\bis\b|\n)\s{0,3}(?<secret>${WORDS})`,
      'gi',
    ),
    isListOfWords,
  ),
  password(
    '“The wifi password? It’s …”, “You asked for the password. It is …”, also across two speakers',
    /pass|pwd|pin|wi-?fi/i,
    new RegExp(
      String.raw`\b${SECRET_OF}\b[^\n.?!]{0,30}?[?.!,]\s{1,3}(?:(?:it|that)(?:['’]?s| is)\s{1,2}|\w{1,20}:\s{0,2})["'${'`'}“]?(?<secret>${VALUE})${BEHIND}`,
      'gi',
    ),
    isMixed,
  ),
  password(
    '密码？…, 密码改了，现在是… (“the password changed, now it is …”)',
    /密码|口令|暗号/,
    new RegExp(
      String.raw`(?:密码|密碼|口令|暗号)(?:[?？]\s{0,3}|(?:[改换重设置]{1,2}了|变了)[，,]?\s{0,2}(?:现在|新的?|目前)?是\s{0,2}|(?:就|还|依然|仍然?|一直|都|应该|现在|当前)是\s{0,2})["“]?(?<secret>\d{4,20}(?!\d)|${VALUE}${BEHIND})`,
      'gu',
    ),
  ),
  password(
    'other Chinese verbs: 密码还是原来的… (“still the old …”), 密码我设的是… (“I set it to …”)',
    /密[码碼]|口令|暗号/,
    new RegExp(
      String.raw`(?:密[码碼]|口令|暗号)[^，。！？\n!-~]{0,12}?(?:是|为|成|用)[^，。！？\n!-~]{0,6}(?<secret>\d{2,4}(?: \d{2,4}){1,3}(?=\s?(?:[了吧，。！]|$))|(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[A-Za-z])[!-~]{6,64}?${BEHIND})`,
      'gu',
    ),
  ),
  password(
    'a label behind, words with digits, digits in groups: Kitten77是我的密码, 密码是小猫2024, 保险箱密码31-7-22',
    /密[码碼]|口令/,
    new RegExp(
      String.raw`(?<![!-~])(?<secret>${VALUE})\s?(?:就?是|为)(?:我|我们|咱们?|他|她|家里)?的?[^，。！？\n!-~]{0,6}(?:密[码碼]|口令)(?![学本器管])|(?:密[码碼]|口令)(?:就?是|为|[:：])\s?["“]?(?<other>[^，。！？\s\d]{1,8}\s?\d{2,8})(?=["”，。！\s]|$)|(?:密[码碼])\s?(?:是|[:：])?\s?(?<plain>\d{1,2}(?:-\d{1,2}){2,4}(?![\d-])|(?<=[箱柜锁门]密码\s?)\d{3}(?!\d|\s?[位个次遍天年元分秒]))`,
      'gu',
    ),
  ),
  password(
    'the number of digits: 密码六位，… (“six digits, …”)',
    /位/,
    /(?:密[码碼]|口令)[^，。！？\n!-~]{0,6}?(?:[四六八]|\d)位(?:数字?|的)?\s{0,2}(?:是|为|[:：])?\s{0,2}(?<secret>\d{4,8})(?!\d|[个位年])/gu,
  ),
  password(
    'an account and its password: “netflix: ana@… / …”',
    /@/,
    /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\s{0,2}[/|]\s{0,2}(?<secret>[!-.0-~]{6,64}?)(?=[.,;!?)'"]{0,3}(?:\s|$))/g,
    isMixed,
  ),
  password(
    'numbered Chinese recovery words',
    /[助种恢][记子复]/,
    /(?:助记词|助记符|恢复短语|恢复词|种子短语|种子词)[^，。\n]{0,6}?(?:是|为|[:：=]|\s)\s{0,3}(?<secret>(?:\d{1,2}[.、:：)）]?\s?\p{Script=Han}[\s,，、;]{1,3}){11,23}\d{1,2}[.、:：)）]?\s?\p{Script=Han})(?!\p{Script=Han})/gu,
  ),
  password(
    'digits in words: 八个8 (“eight 8s”), 一二三四五六七八',
    /密码|密碼/,
    /(?:密码|密碼)(?:就|还)?(?:是|为|[:：])\s{0,2}(?<secret>(?:[一二两三四五六七八九十\d]{1,2}个[\da-zA-Z零〇一二三四五六七八九]){1,4}|[零〇幺一二三四五六七八九]{4,12})(?=[，。！,.!\s]|$)/gu,
  ),
  password(
    'misspelt Chinese words for a password',
    /密吗|蜜码|秘码|米码|密马/,
    new RegExp(
      String.raw`(?:密吗|蜜码|秘码|米码|密马)\s{0,2}(?:是|为|[:：])\s{0,2}(?<secret>\d{4,20}(?!\d)|${VALUE}${BEHIND})`,
      'gu',
    ),
  ),
  password(
    'codes of parcels, shares and logins: 取件码3-2-1008',
    /取件|提取|验证|校验|动态|口令/,
    /(?:取件码|提取码|验证码|校验码|动态码|动态口令)\s{0,2}(?:是|为|[:：])?\s{0,2}[:：]?\s{0,2}(?<secret>\d{1,4}(?:-\d{1,4}){1,3}(?![\d-])|[A-Za-z]\d{0,2}-\d{3,6}(?![\d-])|(?=[a-z]{0,3}\d)(?=\d{0,3}[a-z])[a-z\d]{4}(?![A-Za-z\d])|\d{4,8}(?=[。，]|$))/gimu,
  ),
  password(
    'Chinese recovery codes: 恢复码…, 备用码…',
    /恢复|备[份用]|应急|救援/,
    /(?:恢复码|备份码|备用码|备用(?:验证|恢复)码|应急码|救援码|恢复密钥|恢复代码)\s{0,2}(?:是|为|有|[:：])?\s{0,3}(?<secret>(?=[A-Za-z\d -]{0,12}\d|[A-Z]{4})[A-Za-z\d]{4,12}(?:[ ,，、\n-]{1,2}[A-Za-z\d]{4,12}){0,15})(?![A-Za-z\d])/gu,
  ),
  password(
    'the answer to a security question: 密保答案是…',
    /密保/,
    /密保(?:问题)?的?答案\s{0,2}(?:是|为|[:：])\s{0,2}(?<secret>[^，。；,;\s]{1,30})/gu,
  ),
  password(
    '用 NAME/… 登录 (“log in with NAME/…”)',
    /\/.{1,64}登/,
    /用\s?[^\s/，。]{1,30}\/(?<secret>[!-.0-~]{5,64}?)\s?(?:登录|登陆|登入)/gu,
    isMixed,
  ),
  password(
    '“router login: admin/…”',
    /\/\S{5}/,
    /\b(?:log-?in|credentials?|router|后台|账号)\b[^\n]{0,20}?[\s:：](?:admin|root|administrator|guest|user|pi|ubuntu|postgres)\/(?<secret>[^\s/"'<>]{5,64})/giu,
    isMixed,
  ),
  account(
    '“my SSN 123-45-6789”',
    /ssn|social/i,
    /\b(?:ssn|social security(?: (?:number|no\.?))?)\s{1,3}(?<secret>\d{3}-\d\d-\d{4})(?![\d-])/gi,
  ),
  password(
    '“use Reed#Owl77 to get into my mail”',
    /\bus(?:e|ed|ing)\b|\btype/i,
    new RegExp(
      String.raw`\b(?:us(?:e|ed|ing)|typ(?:e|ed|ing)(?: in)?) ${TYPED_VALUE} to (?:get (?:in|into|on|onto)|log ?(?:in|on)(?:to)?|sign in(?:to)?|unlock|access)\b`,
      'giu',
    ),
    isPasswordAlone,
  ),
  password(
    '用…登录 (“log in with …”)',
    /登/,
    /用\s?(?<secret>[!-~]{8,64}?)\s?(?:就能|就?可以|来|去)?(?:登[录陆入錄]|解锁)/gu,
    isPasswordAlone,
  ),
  password(
    '“pass is Reed#Owl77 for the shared drive”',
    /\bpass\b/i,
    new RegExp(String.raw`\bpass(?: (?:for|to) [^\n.,]{1,30}?)?(?: is| was|['’]s) ${TYPED_VALUE}`, 'giu'),
    isPasswordAlone,
  ),
  password(
    '“password’s otter77”, but not “password’s SHA256 hash”, which names something that the password has',
    /['’]s/,
    /\b(?:pass ?(?:word|code|phrase)|pwd|pw|wi-?fi key)['’]s\s+["“]?(?!(?:sha|md|aes|utf)-?\d)(?<secret>(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[A-Za-z])[!-~]{5,64}?)["”]?(?=[.,;!?)]{0,3}(?:$|\n)|[.,;!?)]\s|\s(?:for|and|but|on|at|now|if|in case|so|btw|by the way|please|thanks|okay?)\b)/gi,
    (value) => !/^\d+(?:st|nd|rd|th|-\w+)$/i.test(value),
  ),
  password(
    '“the security answer is …”',
    /security/i,
    new RegExp(
      String.raw`\b(?:security (?:question )?answer|answer to (?:the|my|our|that) security question)(?: (?:for|to|at|on|about) [^\n.,:]{1,30}?)?(?:\s*[:=]| is| was|['’]s)\s+${ANSWER}`,
      'giu',
    ),
    isAnswer,
  ),
  password(
    '“security question: my maiden name is …”',
    /security (?:question|answer)/i,
    new RegExp(
      String.raw`\bsecurity (?:question|answer)\b[^\n]{0,60}?\b${STATED_TOPIC}(?:it(?:['’]s| is| was) )?${ANSWER}`,
      'giu',
    ),
    isAnswer,
  ),
  password(
    '“my first pet was Brindle (security question)”',
    /security (?:question|answer)/i,
    new RegExp(
      String.raw`\b${STATED_TOPIC}["“]?(?<secret>[^\s.,;!?"”()[][^.,;!?"”()[\n]{1,40}?)["”]?\s?(?:[(,;:–-]|[-–—] )\s?(?:(?:that['’]?s|it['’]?s|for|is|as|my|the|our|a|bank) ){0,3}security (?:question|answer)\b`,
      'giu',
    ),
    isAnswer,
  ),
  password(
    '“my password? otter77”, “it’s otter77, that’s my password”',
    new RegExp(SECRET_OF, 'i'),
    new RegExp(
      String.raw`\b${SECRET_OF}\s?\?\s{1,3}["'“]?(?<secret>${VALUE})["'”]?(?=[.!)]{0,3}(?:$|\n)|,\s)|\b(?:it|that)['’]?s\s+["'“]?(?<other>${VALUE})["'”]?(?:[,;.]\s{0,2}(?:it|that)['’]?s (?:still )?(?:my|the|our)|,? for (?:my|the|our))(?: [\w-]{1,20}){0,3}? ${SECRET_OF}(?!\p{L}| (?:manager|app|field|reset|hint|policy|prompt|rule|page|screen|file|problem|thing))`,
      'giu',
    ),
    isMixed,
  ),
  password(
    'a value with its label behind: “"Otter-55" - that’s the new admin password”',
    new RegExp(SECRET_OF, 'i'),
    new RegExp(
      String.raw`(?<![!-~])["'“(]?(?<secret>${VALUE})["'”)]?\s{0,2}(?:(?:[,.;:(–—-]\s{0,2})?(?:that(?:['’]?s| is| was| will be)|this is|which is|it['’]s|is what (?:i|we|they|he|she) (?:\w{1,8} ){1,2}(?:as|for)|(?<=[,.;:(–—-]\s{0,2})(?:is|as|for))) (?:(?:still|now|also) )?(?:my|the|our|his|her|their)(?: [\w-]{1,20}){0,3}? ${SECRET_OF}(?!\p{L}| (?:manager|app|field|reset|hint|policy|prompt|rule|length|page|screen|generator|file|problem|thing|story))`,
      'giu',
    ),
    isCompoundPassword,
  ),
  password(
    '“User: bo@example.org Pass: lollipop”. Beside a user name any word may be a password',
    /\bp(?:ass|w|wd)\w*\s?[:=]/i,
    /\b(?:user(?:name|id)?|log-?in|e-?mail|account|acct|id)\s?[:=]\s{0,3}\S{2,100}?[\s,;/|]{1,5}p(?:ass(?:word|code|phrase)?|wd?)\s?[:=]\s{0,3}["'“]?(?<secret>[!-~]{4,64}?)(?=[.,;!?)'"”]{0,3}(?:\s|$))/giu,
    (value) => !isState(value),
  ),
  password(
    '“credentials bo / lollipop77”',
    /cred/i,
    new RegExp(
      String.raw`\b(?:credentials?|creds)(?: (?:for|of|to) [^\n/|:]{1,30}?)?[,:]?\s[^\s/|]{2,64}\s?[/|]\s?(?<secret>${VALUE})${BEHIND}`,
      'giu',
    ),
    (value) => value.length >= 8,
  ),
  password(
    '“our wifi is Birch 12 and the key is …”. A key of a network has at least eight characters',
    /wi-?fi|wlan|hotspot|ssid|router/i,
    /\b(?:wi-?fi|wlan|hotspot|ssid|router)\b[^\n.!?]{0,60}?\b(?:key|code|schlüssel|clave|clé|chiave)\s{0,2}(?:\b(?:is|was|ist|lautet|es|est)\b|[:=])\s{0,2}["'“]?(?<secret>(?=[!-~]{0,62}\d)[!-~]{8,63}?)(?=[.,;!?)'"”]{0,3}(?:\s|$))/giu,
    (value) => !/^\d{2,4}[-./]\d\d?[-./]\d{2,4}$|:\/\//.test(value),
  ),
  password(
    'a password right after its name in other languages. One without a sign ends in digits',
    new RegExp(OTHER_NAMES, 'iu'),
    new RegExp(
      String.raw`(?<!\p{L})(?:${OTHER_NAMES})(?!\p{L})(?: [\p{L}\d.-]{1,16}){0,4}? ["'“„«]?${NOT_FOR}(?<secret>${VALUE})["'”»]?(?=[.,;?)]{0,3}(?:\s|$))`,
      'giu',
    ),
    (value) => !isProduct(value) && (isPasswordAlone(value) || /^[a-z]+-?\d+!*$/i.test(value)),
  ),
  password(
    '“пин-код карты 4821”, “PIN do karty to 4821” (“card PIN 4821”)',
    new RegExp(PIN_NAMES, 'iu'),
    new RegExp(
      String.raw`(?<!\p{L})(?:${PIN_NAMES})(?!\p{L})(?: \p{L}{1,12}){0,3}?\s{0,2}[:=—-]?\s{1,2}(?<secret>\d{3,6})(?![\d%]|[.,-]\d|\s\p{L}{3})`,
      'giu',
    ),
  ),
  password(
    '“log in as ana with …” and its translations. The value needs no word for a password',
    /\b(?:as|als|com[eo]|comme|en tant que) /i,
    new RegExp(
      String.raw`(?:\b(?:log(?:ging|ged)?[ -]?[io]n|sign(?:ing|ed)?[ -]?in)(?: (?:to|at) [^\n.]{1,30}?)? as \S{1,40} (?:with|using)|\b(?:acce[ds]\w+|acess\w+|entr\w+|inicia sesi[óo]n|con[ée]ct\w+|connect\w+(?:-\w+)?) (?:como|come|comme|en tant que) \S{1,40} (?:con|com|avec)|\bals \S{1,40} mit(?=\s\S{8,64}\s(?:an|ein|anmelden|einloggen)\b)) ${TYPED_VALUE}`,
      'giu',
    ),
    isChosenPassword,
  ),
  password(
    'a password before or far behind its name: “… as the password”, „als Kennwort habe ich …“',
    /pass|kennwort|contrase|clave|senha|パスワード/i,
    new RegExp(
      String.raw`(?<!\S)["'“]?(?<secret>[!-~]{6,64}?)["'”]? (?:as|como|comme|come|als) (?:(?:the|my|our|la|mi|minha|meu|mon|a|il|mein) )?(?:\p{L}{1,12} )?(?:pass(?:word|phrase|code|wort)|kennwort|contrase[ñn]a|clave|senha|mot de passe)(?!\p{L})|(?:(?<!\p{L})(?:als|as) (?:passwort|kennwort)[^.\n]{0,30}?|(?:passwort|kennwort)[^.\n]{0,40}? (?:auf|zu)) (?<other>[!-~]{6,64}?)(?=[.,;!?)'"]{0,3}(?:\s|$))|パスワードを\s?(?<plain>[!-~]{6,64})(?=\s?に)`,
      'giu',
    ),
    (value) => isMixed(value) && !isProduct(value),
  ),
  password(
    '“texted 739 204 as the login code”',
    /code|código|codice/i,
    new RegExp(
      String.raw`(?<![\d-])${ONE_TIME_CODE} (?:(?:as|is|was) (?:(?:the|my|your|our|a) )?(?:log-?in|sign-?in|verification|security|one-time|access|2fa|authenticat\w+) (?:code|pin)|(?:como|als|comme|come) \p{L}{0,15} ?(?:code|código|codice)\b)`,
      'giu',
    ),
  ),
  password(
    '“the code they texted me is …”',
    /cod|kod|код/i,
    new RegExp(
      String.raw`(?<!\p{L})(?:code|codice|kod|код)(?!\p{L})[^.!?\n\d]{0,30}?\b(?:text(?:ed)?|sms|authenticator)\b[^.!?\n\d]{0,20}?(?:\b(?:is|was|to)|è|это|:)\s{0,2}${ONE_TIME_CODE}`,
      'giu',
    ),
  ),
  password(
    'one-time codes behind their names in other languages',
    /code|c[óo]di|コード|인증|kod|tek kull|код|парол|登[录錄]码|动态密码/i,
    new RegExp(
      String.raw`(?:${ONE_TIME_CODE_NAMES})(?: (?:per|por|par|via|reçu|recibido|ricevuto)(?: sms)?)?\s{0,2}(?:ist|lautet|es|est|è|é|is|to|jest|это|[:=：—-]|は|[는은]|是|为)?\s{0,2}${ONE_TIME_CODE}`,
      'giu',
    ),
  ),
  password(
    'the old value of “changed my password from … to …”. Other forms match the new one',
    /from/i,
    new RegExp(
      String.raw`\b${SECRET_OF}\b[^\n.]{0,30}? from ["'“]?(?<secret>${VALUE}|\d{4,8})["'”]? (?:in)?to\b`,
      'gi',
    ),
    (value) => !/^(?:19|20)\d\d$/.test(value),
  ),
  account(
    '“account number 12345678, sort code 12-34-56”, 银行账号是…',
    /acc|sort|routing|bank det|[账帐卡][号户]/i,
    /\b(?:(?:bank |checking |savings |current )(?:account|acct|acc)(?: (?:number|num|no\.?|#))?|(?:account|acct|acc)\.? ?(?:numbers?\b|num\b|no\b\.?|#)|(?:sort|routing|transit|bsb) (?:code|number|no\.?)|bank details)\s*(?:(?:is|was|=|:|#)\s*){0,2}(?<secret>\d{2,4}(?:[ -]\d{2,4}){1,5}|\d{6,17})(?![\p{L}\p{N}]|[.,-]\d)|银行(?:[账帐卡]号|[账帐]户)\s{0,2}(?:是|为|[:：])?\s{0,2}(?<other>\d(?:[ -]?\d){9,18})(?!\d)/giu,
  ),
  card(
    'card numbers behind their Chinese name, also those that a mistyped digit makes invalid',
    /卡/,
    /(?:卡号|[行用蓄记]卡)(?:号码?)?\s{0,2}(?:是|为|[:：])?\s{0,2}(?<secret>\d(?:[ -]?\d){14,18})(?!\d)/gu,
  ),
  account(
    'a passport number behind its name',
    new RegExp(PASSPORT, 'iu'),
    new RegExp(
      String.raw`(?<!\p{Script=Latin})${PASSPORT}(?:[^.!?\n\d]{0,40}?(?<!\p{L})(?:no\.?|number|num\.?|id|n[°ºr.]\.?|№|n[úu]m[ée]ro|numero|numaram?|numarası|номер|серия|es|est|is|was|ist|lautet|to|jest|[eéè]|GB|UK|US)(?!\p{L})|[^.!?\n\d]{0,12}?(?:号|號|番号は?|번호[는은]?|(?:nummer|nr\.?)(?: (?:is|ist|lautet))?|[:=#№]))?(?:\p{L}{1,2})?[\s:=]{0,3}(?:(?:is|was) )?(?<secret>(?=[A-Za-z]*\d[A-Za-z]*\d)[A-Z\d]{7,9}|[A-Z]{1,3} \d{6,8}|\d{2,4}(?: \d{2,7}){1,2}|\d{4} (?:номер|№) ?\d{6})(?![A-Za-z\d])`,
      'giu',
    ),
    (value) => value === value.toUpperCase() || (value.match(/\d/g)?.length ?? 0) >= 5,
  ),
  account(
    'a Chinese passport number',
    /护照|通行证/,
    /(?:护照|通行证)(?:号码?|编号)?\s{0,2}(?:是|为|[:：])?\s{0,2}(?<secret>[A-Za-z]{1,2}\d{7,8})(?![A-Za-z\d])/gu,
  ),
  account(
    'a Chinese identity number',
    /身份证/,
    /身份证(?:号码?)?\s{0,2}(?:是|为|[:：])?\s{0,2}(?<secret>[1-9]\d{5}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}(?!\d)|[1-9]\d{5}[ -](?:19|20)\d{6}[ -]\d{3}[\dXx](?![A-Za-z\d]))/gu,
  ),
]
