import type { SecretSpan } from './mask-secrets.ts'

const ENGLISH =
  /\b(?:pass ?(?:word|code|phrase)|pwd|pin(?: (?:code|number))?)s?\b(?: (?:for|to|of|on) (?:\S+ ){0,4}?\S+?)??(?:\s*(?:\b(?:is|was|will be)\b|[:=])\s*)(?:now |actually |still |just )*(?:["“`]([^"”`\n]{3,64})["”`]|'?([^\s"'”’`]{3,64}?)(?=[.,;!?)'’]*(?:\s|$)))/giu
const CHINESE =
  /(?:密码|密碼|口令)(?:现在|改成|设)?\s*(?:是|为|：|:|=|改成了?|设成了?)\s*["“「'`]?([\x21-\x7e]{3,64}?)(?=[.,;!?]*(?:["”」'`\s，。；！？、\u3400-\u9fff]|$))/gu
/** What else is said of a password after “is”: its state, its kind, or where it is kept. */
const STATE =
  /^(?:not|no|in|on|at|too|so|very|really|the|a|an|my|your|his|her|our|their|what|when|where|how|that|this|there|it|also|always|never|safe|wrong|weak|strong|long|short|easy|hard|simple|different|same|correct|right|lost|gone|okay|fine|good|bad|invalid|secure|unique|hidden|written|stuck|almost|probably|something|nothing|case|only|being|and|or|but|if|because|to|for|from|with|under|by)$|(?:ed|ing|able|ible|ly)$/i

/** Passwords said in talk: “my password is hunter2”, 我的密码是…. A plain word counts unless it tells a state. */
export function findPasswords(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const match of text.matchAll(ENGLISH)) {
    const [whole, quoted, plain] = match
    const value = quoted ?? plain
    if (value === undefined) continue
    const start = match.index + whole.lastIndexOf(value)
    if (isSecret(value, quoted !== undefined, /^pin/i.test(whole)))
      spans.push({ start, end: start + value.length, kind: 'password' })
  }
  for (const match of text.matchAll(CHINESE)) {
    const value = match[1]
    if (value === undefined || isMasked(value)) continue
    const start = match.index + match[0].lastIndexOf(value)
    spans.push({ start, end: start + value.length, kind: 'password' })
  }
  return spans
}

/** What stands where a secret was masked already. */
function isMasked(value: string): boolean {
  return value.startsWith('[masked')
}

/** A pin on a board or a map is none: only digits count. */
function isSecret(value: string, isQuoted: boolean, isPin: boolean): boolean {
  if (isMasked(value)) return false
  if (isPin) return /^\d{3,12}$/.test(value)
  if (/[\d\p{S}@#%&*_]/u.test(value) || isQuoted) return true
  return !STATE.test(value)
}
