import { again, type Assault, type Attack } from './attack.ts'

const AT_A_TIME = 8
/** As much as a turn may be, and a request may bring, with room for its JSON. */
const LONGEST_TURN = 100_000
const MOST_TURNS = 9

const remember = (assault: Assault, user: string, texts: readonly string[]) =>
  assault.send('POST', `/v1/scopes/${user}/turns`, { turns: texts.map((text) => ({ role: 'user', text })) })

/** Turns of the same words, as long and as many as are taken. */
function fill(words: string): string[] {
  const text = words.repeat(Math.floor(LONGEST_TURN / words.length))
  return Array.from({ length: MOST_TURNS }, () => text)
}

/** Texts that patterns of many kinds could stumble over, each to be repeated. */
const BOMBS = [
  'a',
  ' ',
  '\t \n',
  '((((',
  '"\'',
  'aA1-',
  'a@',
  'a.a.',
  'no, not, never, ',
  'and and ',
  'I I I ',
  '0-',
  '1 2 3 ',
  'http://a.',
  '=',
  '> ',
  'forget that ',
  '我我',
  '，，',
  '\u0300',
]

/** What is said is the weapon. */
export const textAttacks: readonly Attack[] = [
  {
    name: 'secrets',
    about: 'Turns with thousands of secrets, of many forms.',
    run: (assault) =>
      again(assault, AT_A_TIME, () => {
        const secret = assault.draw.pick([
          `ghp_${'a'.repeat(36)} `,
          'AKIAIOSFODNN7EXAMPLE ',
          'pwd is hunter2 ',
          '4111 1111 1111 1111 ',
          '{"password":"x1y2z3"} ',
        ])
        return remember(assault, 'attacker', fill(secret))
      }),
  },
  {
    name: 'giant-turns',
    about: 'Turns as long as they may be, as many as a request may bring.',
    run: (assault) =>
      again(assault, AT_A_TIME, (index) =>
        remember(assault, 'attacker', fill(`Number ${index} goes on and on. `)),
      ),
  },
  {
    name: 'fact-flood',
    about: 'Requests of a thousand turns, each full of facts about new people and things.',
    run: (assault) =>
      again(assault, AT_A_TIME, (index) => {
        const of = (turn: number): string => `${index}x${turn}`
        const texts = Array.from(
          { length: 1_000 },
          (_, turn) => `My friend Bob${of(turn)} hates thing${of(turn)}. My sister went to place${of(turn)}.`,
        )
        return remember(assault, 'attacker', texts)
      }),
  },
  {
    name: 'pattern-bombs',
    about: 'Texts that send patterns back and forth: the same few characters, again and again.',
    run: (assault) =>
      again(assault, AT_A_TIME, (index) => {
        const bomb = BOMBS[index % BOMBS.length] ?? 'a'
        const length = assault.draw.pick([20_000, 60_000, LONGEST_TURN - 1])
        return remember(assault, 'attacker', [`${bomb.repeat(Math.floor(length / bomb.length))}!`])
      }),
  },
]
