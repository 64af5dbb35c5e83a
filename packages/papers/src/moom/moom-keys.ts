import { extendKeyTable, keyTable, type KeyTable, type PersonaKeyInput } from '@keepsake/text'

/** English and Chinese names of the key for dislikes, by the kind of thing that a `favourite-…` key has. */
const DISLIKE_NAMES = {
  animal: ['disliked animals', '讨厌的动物'],
  food: ['disliked food', '讨厌的食物'],
  drink: ['disliked drinks', '讨厌的饮料'],
  music: ['disliked music', '讨厌的音乐'],
  film: ['disliked films', '讨厌的电影'],
  sport: ['disliked sports', '讨厌的运动'],
  season: ['disliked seasons', '讨厌的季节'],
  place: ['disliked places', '讨厌的地方'],
  subject: ['disliked subjects', '讨厌的科目'],
  colour: ['disliked colours', '讨厌的颜色'],
} as const

const dislikeKeys = Object.entries(DISLIKE_NAMES).map(([kind, [en, zh]]): PersonaKeyInput => ({
  id: `disliked-${kind}`,
  names: { en: [en], zh: [zh] },
  merge: 'append',
  contradicts: [`favourite-${kind}`, 'likes'],
}))

let table: KeyTable | undefined

/** Returns the built-in table with MOOM's contradictory pairs (3.2): a dislike contradicts a favourite of its kind. Both are lists. */
export function moomKeyTable(): KeyTable {
  if (table !== undefined) return table
  const favourites = [...keyTable().values()].filter(
    ({ id }) => id.startsWith('favourite-') || id === 'favourites',
  )
  const contradictedFavourites = favourites.map((key): PersonaKeyInput => ({
    id: key.id,
    names: { en: [...key.names.en], zh: [...key.names.zh] },
    type: key.type,
    merge: key.merge === 'replace' ? 'append' : key.merge,
    opposite: key.opposite,
    partOf: 'other',
    repeats: key.repeats,
    contradicts: ['dislikes'],
  }))
  table = extendKeyTable(keyTable(), [...contradictedFavourites, ...dislikeKeys])
  return table
}
