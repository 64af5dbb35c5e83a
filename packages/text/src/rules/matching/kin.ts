/** Words for relatives, used as phrases of each language and as keys. */
export const KIN = [
  'partner',
  'parents',
  'siblings',
  'children',
  'relatives',
  'friends',
  'colleagues',
  'pets',
]
